"""SimCLR pretraining with GPU augmentations and LARS, followed by a linear probe."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18
from torchvision.transforms import v2


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, weight_decay=1e-6, momentum=0.9, eta=0.001):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, eta=eta))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                dp = p.grad
                if p.ndim > 1:
                    dp = dp.add(p, alpha=g["weight_decay"])
                    pn, un = p.norm(), dp.norm()
                    q = torch.where(pn > 0, torch.where(un > 0, g["eta"] * pn / un, torch.ones_like(pn)), torch.ones_like(pn))
                    dp = dp.mul(q)
                st = self.state[p]
                if "mu" not in st:
                    st["mu"] = torch.zeros_like(p)
                st["mu"].mul_(g["momentum"]).add_(dp)
                p.add_(st["mu"], alpha=-g["lr"])


class SimCLR(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        net = resnet18(weights=None)
        net.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)  # CIFAR stem
        net.maxpool = nn.Identity()
        net.fc = nn.Identity()
        self.backbone = net
        self.projector = nn.Sequential(nn.Linear(512, 512, bias=False), nn.BatchNorm1d(512), nn.ReLU(inplace=True),
                                       nn.Linear(512, dim, bias=False))

    def forward(self, x):
        return F.normalize(self.projector(self.backbone(x)), dim=1)


def nt_xent(z1, z2, temperature=0.5):
    n = z1.size(0)
    z = torch.cat([z1, z2])
    sim = z @ z.T / temperature
    sim.fill_diagonal_(-1e9)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(sim, target)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch-size", type=int, default=192)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--probe-steps", type=int, default=10)
    args = ap.parse_args()
    torch.manual_seed(0)
    dev = torch.device("cuda")
    augment = v2.Compose([
        v2.RandomResizedCrop(32, scale=(0.2, 1.0), antialias=True),
        v2.RandomHorizontalFlip(),
        v2.RandomApply([v2.ColorJitter(0.4, 0.4, 0.4, 0.1)], p=0.8),
        v2.RandomGrayscale(p=0.2),
        v2.Normalize((0.49, 0.48, 0.45), (0.25, 0.24, 0.26)),
    ])
    data = torch.rand(args.batch_size * 2, 3, 32, 32)
    labels = torch.randint(0, 10, (len(data),))
    model = SimCLR().to(dev)
    opt = LARS(model.parameters(), lr=0.3 * args.batch_size / 256)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    model.train()
    for step in range(args.steps):
        idx = torch.randperm(len(data))[: args.batch_size]
        x = data[idx].to(dev)
        # crop/jitter parameters are drawn per chunk so that a batch holds several of them
        v1 = torch.cat([augment(c) for c in x.chunk(8)])
        v2_ = torch.cat([augment(c) for c in x.chunk(8)])
        z = model(torch.cat([v1, v2_]))
        loss = nt_xent(*z.chunk(2))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"step {step} nt-xent {loss.item():.4f} lr {sched.get_last_lr()[0]:.4f}")
    print("pretrain peak MiB", torch.cuda.max_memory_allocated() // 2**20)

    model.eval()
    with torch.no_grad():
        feats = torch.cat([model.backbone(c.to(dev)) for c in data.split(args.batch_size)])
    clf = nn.Linear(512, 10).to(dev)
    popt = torch.optim.SGD(clf.parameters(), lr=0.1, momentum=0.9)
    y = labels.to(dev)
    for _ in range(args.probe_steps):
        l = F.cross_entropy(clf(feats), y)
        popt.zero_grad()
        l.backward()
        popt.step()
    print("probe loss %.4f acc %.3f" % (l.item(), (clf(feats).argmax(1) == y).float().mean().item()))


if __name__ == "__main__":
    main()
