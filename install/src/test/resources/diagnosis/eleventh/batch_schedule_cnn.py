# limit: 4.0
"""Don't decay the learning rate, increase the batch size."""
import torch
from torchvision.models import resnet50


class Schedule:
    def __init__(self, phases):
        self.phases = phases

    def __iter__(self):
        for epoch, (bs, steps) in enumerate(self.phases):
            yield epoch, bs, steps


def fake_images(bs):
    return torch.randn(bs, 3, 224, 224, device="cuda"), torch.randint(0, 100, (bs,), device="cuda")


def train_phase(net, opt, bs, steps):
    net.train()
    seen = 0
    for _ in range(steps):
        x, y = fake_images(bs)
        loss = torch.nn.functional.cross_entropy(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        seen += bs
    return loss.item(), seen


def main():
    torch.manual_seed(0)
    net = resnet50(weights=None, num_classes=100).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch, bs, steps in Schedule([(8, 12), (16, 8), (24, 6), (64, 4)]):
        loss, seen = train_phase(net, opt, bs, steps)
        print(f"phase {epoch} batch {bs}: loss {loss:.3f} ({seen} images)")


main()
