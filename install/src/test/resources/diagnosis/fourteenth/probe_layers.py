# limit: 2.0
# Want to look at the activation statistics of each stage after training -> forward hooks.
from collections import defaultdict

import torch
import torchvision

torch.manual_seed(3)


class StageProbe:
    """Records what comes out of each stage."""

    def __init__(self, net, names):
        self.records = defaultdict(list)
        self.handles = []
        for name, mod in net.named_children():
            if name in names:
                self.handles.append(mod.register_forward_hook(self.make(name)))

    def make(self, name):
        def hook(mod, inp, out):
            self.records[name].append(out.detach())
        return hook

    def report(self):
        for k, v in self.records.items():
            m = torch.stack([x.mean() for x in v])
            print(f"{k}: mean {m.mean().item():.4f} over {len(v)} calls")

    def close(self):
        for h in self.handles:
            h.remove()


def batches(n, bs=32):
    for i in range(n):
        torch.manual_seed(1000 + i)
        yield torch.randn(bs, 3, 224, 224, device="cuda"), torch.randint(0, 100, (bs,), device="cuda")


def train_one_epoch(net, opt, epoch, n=20):
    net.train()
    running = 0.0
    for x, y in batches(n):
        loss = torch.nn.functional.cross_entropy(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        running += loss.item()
    print(f"epoch {epoch}: loss {running / n:.3f}")


net = torchvision.models.resnet18(num_classes=100).cuda()
probe = StageProbe(net, {"layer1", "layer2", "layer3", "layer4"})
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
for epoch in range(4):
    train_one_epoch(net, opt, epoch)
probe.report()
probe.close()
