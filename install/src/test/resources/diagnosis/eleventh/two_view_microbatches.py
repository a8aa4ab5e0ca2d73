# limit: 1.5
import torch
import torch.nn.functional as F
from torchvision.models import resnet18


class TwoView(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = resnet18(weights=None, num_classes=128)

    def forward(self, a, b):
        za, zb = F.normalize(self.net(a), dim=1), F.normalize(self.net(b), dim=1)
        return za, zb


def augment(x):
    x = x + 0.1 * torch.randn_like(x)
    return x.flip(-1) if torch.rand(()).item() < 0.5 else x


def pair_loss(za, zb):
    sim = za @ zb.t() / 0.2
    target = torch.arange(len(za), device=sim.device)
    return 0.5 * (F.cross_entropy(sim, target) + F.cross_entropy(sim.t(), target))


def train_step(model, opt, images, micro):
    opt.zero_grad()
    chunks = images.split(micro)
    total = 0
    for chunk in chunks:
        x = chunk.cuda()
        za, zb = model(augment(x), augment(x))
        total = total + pair_loss(za, zb) / len(chunks)
    total.backward()
    opt.step()
    return total.item()


def main():
    torch.manual_seed(2)
    model = TwoView().cuda().train()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, n in enumerate([8, 8, 16, 16, 128, 128]):
        images = torch.rand(n, 3, 160, 160)
        print(step, n, train_step(model, opt, images, micro=8))


main()
