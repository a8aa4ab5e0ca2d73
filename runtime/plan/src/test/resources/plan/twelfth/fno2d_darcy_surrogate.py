"""Fourier neural operator (2-D) for Darcy flow: spectral convolutions, relative L2 + H1 loss, zero-shot resolution."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class SpectralConv2d(nn.Module):
    def __init__(self, c, modes):
        super().__init__()
        self.m = modes
        scale = 1 / (c * c)
        self.w1 = nn.Parameter(scale * torch.randn(c, c, modes, modes, dtype=torch.cfloat))
        self.w2 = nn.Parameter(scale * torch.randn(c, c, modes, modes, dtype=torch.cfloat))

    def forward(self, x):
        B, C, H, W = x.shape
        xf = torch.fft.rfft2(x)
        out = torch.zeros(B, C, H, W // 2 + 1, dtype=torch.cfloat, device=x.device)
        m = self.m
        out[:, :, :m, :m] = torch.einsum("bixy,ioxy->boxy", xf[:, :, :m, :m], self.w1)
        out[:, :, -m:, :m] = torch.einsum("bixy,ioxy->boxy", xf[:, :, -m:, :m], self.w2)
        return torch.fft.irfft2(out, s=(H, W))


class FNO(nn.Module):
    def __init__(self, width, modes, depth, pad=9):
        super().__init__()
        self.pad = pad
        self.lift = nn.Conv2d(3, width, 1)
        self.spec = nn.ModuleList(SpectralConv2d(width, modes) for _ in range(depth))
        self.pw = nn.ModuleList(nn.Conv2d(width, width, 1) for _ in range(depth))
        self.proj = nn.Sequential(nn.Conv2d(width, 4 * width, 1), nn.GELU(), nn.Conv2d(4 * width, 1, 1))

    def forward(self, a):
        B, _, H, W = a.shape
        gy, gx = torch.meshgrid(torch.linspace(0, 1, H, device=a.device), torch.linspace(0, 1, W, device=a.device),
                                indexing="ij")
        x = torch.cat([a, gy.expand(B, 1, H, W), gx.expand(B, 1, H, W)], 1)
        x = F.pad(self.lift(x), (0, self.pad, 0, self.pad))
        for i, (s, p) in enumerate(zip(self.spec, self.pw)):
            x = s(x) + p(x)
            if i < len(self.spec) - 1:
                x = F.gelu(x)
        return self.proj(x[..., :-self.pad, :-self.pad])


def rel_l2(p, y):
    return ((p - y).flatten(1).norm(dim=1) / y.flatten(1).norm(dim=1)).mean()


def h1(p, y):
    d = lambda u: (u[..., 1:, :-1] - u[..., :-1, :-1], u[..., :-1, 1:] - u[..., :-1, :-1])
    return sum(((a - b) ** 2).mean() for a, b in zip(d(p), d(y)))


def fields(n, res, device, seed):
    g = torch.Generator(device=device).manual_seed(seed)
    z = F.interpolate(torch.randn(n, 1, res // 8, res // 8, generator=g, device=device), size=(res, res), mode="bicubic")
    return torch.where(z > 0, 12.0, 3.0), F.avg_pool2d(z, 9, 1, 4)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--res", type=int, default=141)
    ap.add_argument("--width", type=int, default=48)
    ap.add_argument("--modes", type=int, default=16)
    ap.add_argument("--batch", type=int, default=20)
    ap.add_argument("--steps", type=int, default=6)
    a = ap.parse_args()
    torch.manual_seed(0)
    dev = "cuda"
    net = FNO(a.width, a.modes, 4).to(dev)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
    sch = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)
    for it in range(a.steps):
        k, u = fields(a.batch, a.res, dev, it)
        pred = net(k)
        loss = rel_l2(pred, u) + 0.1 * h1(pred, u)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sch.step()
        print(it, round(loss.item(), 5))
    net.eval()
    with torch.no_grad():
        k, u = fields(8, 2 * a.res - 1, dev, 999)
        print("super-resolution error", rel_l2(net(k), u).item())
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
