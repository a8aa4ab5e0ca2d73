"""SimCLR pre-training at CIFAR resolution with LARS, GPU augmentation, bf16, then a linear probe."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=1e-6, eta=1e-3):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, eta=eta))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                d = p.grad
                if p.ndim > 1:
                    d = d.add(p, alpha=g["weight_decay"])
                    pn, dn = p.norm(), d.norm()
                    q = torch.where((pn > 0) & (dn > 0), g["eta"] * pn / dn, torch.ones_like(pn))
                    d = d * q
                buf = self.state[p].setdefault("mu", torch.zeros_like(p))
                buf.mul_(g["momentum"]).add_(d)
                p.add_(buf, alpha=-g["lr"])


class SimCLR(nn.Module):
    def __init__(self, proj=128):
        super().__init__()
        net = resnet18(weights=None)
        net.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        net.maxpool = nn.Identity()
        self.dim = net.fc.in_features
        net.fc = nn.Identity()
        self.encoder = net
        self.projector = nn.Sequential(nn.Linear(self.dim, self.dim), nn.BatchNorm1d(self.dim), nn.ReLU(inplace=True),
                                       nn.Linear(self.dim, proj, bias=False))

    def forward(self, x):
        return F.normalize(self.projector(self.encoder(x)).float(), dim=1)


def augment(x):
    """random flip, affine crop, color jitter, grayscale - all batched on the device"""
    b = x.size(0)
    s = 0.5 + 0.5 * torch.rand(b, device=x.device)
    flip = torch.where(torch.rand(b, device=x.device) < 0.5, -1.0, 1.0)
    theta = torch.zeros(b, 2, 3, device=x.device)
    theta[:, 0, 0], theta[:, 1, 1] = s * flip, s
    theta[:, :, 2] = (torch.rand(b, 2, device=x.device) * 2 - 1) * (1 - s)[:, None]
    x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False, padding_mode="reflection")
    x = x * (0.6 + 0.8 * torch.rand(b, 3, 1, 1, device=x.device)) + 0.2 * (torch.rand(b, 1, 1, 1, device=x.device) - 0.5)
    gray = x.mean(1, keepdim=True).expand_as(x)
    return torch.where(torch.rand(b, 1, 1, 1, device=x.device) < 0.2, gray, x)


def nt_xent(z1, z2, tau):
    z = torch.cat([z1, z2])
    n = z1.size(0)
    sim = z @ z.t() / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(z.device)
    return F.cross_entropy(sim, target)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=384)
    p.add_argument("--steps", type=int, default=4)
    p.add_argument("--tau", type=float, default=0.2)
    p.add_argument("--probe-steps", type=int, default=20)
    a = p.parse_args()
    torch.manual_seed(8)
    images = torch.rand(2048, 3, 32, 32)
    labels = (images.mean((1, 2, 3)) > 0.5).long()
    model = SimCLR().cuda()
    opt = LARS(model.parameters(), lr=0.3 * a.batch / 256)
    for step in range(a.steps):
        for g in opt.param_groups:
            g["lr"] = 0.3 * a.batch / 256 * 0.5 * (1 + math.cos(math.pi * step / a.steps))
        x = images[torch.randint(0, len(images), (a.batch,))].cuda(non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            z = model(torch.cat([augment(x), augment(x)]))
        loss = nt_xent(*z.chunk(2), a.tau)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} nt-xent {loss.item():.4f}")
    # linear probe on frozen features
    model.eval()
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        feats = torch.cat([model.encoder(b.cuda()).float() for b in images[:1024].split(512)])
    y = labels[:1024].cuda()
    probe = nn.Linear(model.dim, 2).cuda()
    popt = torch.optim.SGD(probe.parameters(), lr=0.1, momentum=0.9)
    for _ in range(a.probe_steps):
        popt.zero_grad()
        F.cross_entropy(probe(feats), y).backward()
        popt.step()
    print(f"probe accuracy {(probe(feats).argmax(1) == y).float().mean().item():.3f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
