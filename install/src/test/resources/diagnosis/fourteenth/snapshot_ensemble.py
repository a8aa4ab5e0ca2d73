# limit: 1.5
"""Snapshot ensembles: cosine cycles, keep the network at the end of each cycle."""
import copy
import math

import torch
import torch.nn.functional as F
from torchvision.models import resnet50

torch.manual_seed(2024)


def cosine(step, total, base=0.1):
    return base / 2 * (1 + math.cos(math.pi * (step % total) / total))


def batch(bs=16):
    return torch.randn(bs, 3, 128, 128).cuda(), torch.randint(0, 10, (bs,)).cuda()


class Ensemble:
    def __init__(self):
        self.members = []

    def add(self, net):
        self.members.append(copy.deepcopy(net).eval())

    @torch.no_grad()
    def predict(self, x):
        return torch.stack([m(x).softmax(1) for m in self.members]).mean(0)


def run_cycle(net, opt, steps):
    net.train()
    for s in range(steps):
        for g in opt.param_groups:
            g["lr"] = cosine(s, steps)
        x, y = batch()
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    net = resnet50(num_classes=10).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    ens = Ensemble()
    for cycle in range(16):
        l = run_cycle(net, opt, 6)
        ens.add(net)
        x, y = batch(8)
        acc = (ens.predict(x).argmax(1) == y).float().mean().item()
        print(f"cycle {cycle}: loss {l:.3f}, ensemble of {len(ens.members)}: acc {acc:.2f}")


if __name__ == "__main__":
    main()
