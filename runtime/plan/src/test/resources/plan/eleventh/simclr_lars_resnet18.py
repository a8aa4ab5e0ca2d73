"""SimCLR with on-GPU augmentation, NT-Xent and an own LARS. Linear probe afterwards on frozen features."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18

BATCH, SIZE, STEPS, TEMP = 128, 96, 5, 0.2


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, weight_decay=1e-6, eta=1e-3):
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay, eta=eta))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                d = p.grad
                if p.ndim > 1:
                    d = d.add(p, alpha=g["weight_decay"])
                    pn, un = p.norm(), d.norm()
                    q = torch.where((pn > 0) & (un > 0), g["eta"] * pn / un, torch.ones_like(pn))
                    d = d * q
                mu = self.state[p].setdefault("mu", torch.zeros_like(p))
                mu.mul_(g["momentum"]).add_(d)
                p.add_(mu, alpha=-g["lr"])


class Augment(nn.Module):
    """random resized crop by affine grid, flips, colour jitter, grayscale, blur: all batched"""

    def __init__(self):
        super().__init__()
        k = torch.exp(-torch.arange(-4, 5).float() ** 2 / 4)
        self.register_buffer("k", k / k.sum())

    @torch.no_grad()
    def forward(self, x):
        B, C, H, W = x.shape
        s = torch.empty(B, device=x.device).uniform_(0.4, 1.0)
        flip = torch.where(torch.rand(B, device=x.device) < 0.5, -1.0, 1.0)
        theta = torch.zeros(B, 2, 3, device=x.device)
        theta[:, 0, 0], theta[:, 1, 1] = s * flip, s
        theta[:, :, 2] = (torch.rand(B, 2, device=x.device) * 2 - 1) * (1 - s)[:, None]
        x = F.grid_sample(x, F.affine_grid(theta, x.shape, align_corners=False), align_corners=False, padding_mode="reflection")
        x = x * torch.empty(B, C, 1, 1, device=x.device).uniform_(0.6, 1.4)
        mean = x.mean((2, 3), keepdim=True)
        x = (x - mean) * torch.empty(B, 1, 1, 1, device=x.device).uniform_(0.6, 1.4) + mean
        gray = torch.rand(B, 1, 1, 1, device=x.device) < 0.2
        x = torch.where(gray, x.mean(1, keepdim=True).expand_as(x), x)
        kx = self.k.view(1, 1, 1, -1).expand(C, 1, 1, -1)
        blur = F.conv2d(F.conv2d(x, kx, padding=(0, 4), groups=C), kx.transpose(2, 3), padding=(4, 0), groups=C)
        return torch.where(torch.rand(B, 1, 1, 1, device=x.device) < 0.5, blur, x)


class SimCLR(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = resnet18(weights=None)
        self.enc.maxpool = nn.Identity()
        self.enc.fc = nn.Identity()
        self.proj = nn.Sequential(nn.Linear(512, 512, bias=False), nn.BatchNorm1d(512), nn.ReLU(), nn.Linear(512, 128))

    def forward(self, x):
        return F.normalize(self.proj(self.enc(x)), dim=1)


def nt_xent(z1, z2):
    n = z1.size(0)
    z = torch.cat([z1, z2])
    sim = (z @ z.T).float() / TEMP
    sim.fill_diagonal_(float("-inf"))
    target = torch.arange(2 * n, device=z.device).roll(n)
    return F.cross_entropy(sim, target)


def images(n, dev):
    y = torch.randint(0, 10, (n,), device=dev)
    base = F.interpolate(torch.randn(n, 3, 6, 6, device=dev), size=SIZE, mode="bilinear")
    return base + y.view(-1, 1, 1, 1) * 0.2, y


def main():
    torch.manual_seed(33)
    dev = torch.device("cuda")
    net, aug = SimCLR().to(dev), Augment().to(dev)
    opt = LARS(net.parameters(), lr=0.3 * BATCH / 256)
    for step in range(STEPS):
        for g in opt.param_groups:
            g["lr"] = 0.15 * 0.5 * (1 + math.cos(math.pi * step / STEPS))
        x, _ = images(BATCH, dev)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            z1, z2 = net(aug(x)), net(aug(x))
            loss = nt_xent(z1, z2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} nt-xent {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    net.eval()
    with torch.no_grad():
        x, y = images(512, dev)
        f = torch.cat([net.enc(c) for c in x.split(128)])
    probe = nn.Linear(512, 10).to(dev)
    popt = torch.optim.SGD(probe.parameters(), lr=0.5)
    for _ in range(30):
        popt.zero_grad()
        ploss = F.cross_entropy(probe(f[:400]), y[:400])
        ploss.backward()
        popt.step()
    print("probe acc", (probe(f[400:]).argmax(1) == y[400:]).float().mean().item())


if __name__ == "__main__":
    main()
