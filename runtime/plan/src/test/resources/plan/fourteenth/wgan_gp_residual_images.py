#!/usr/bin/env python
# WGAN-GP, residual generator / critic, 64x64 synthetic textures.
import argparse
import os
import tempfile

import torch
from torch import autograd, nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Textures(Dataset):
    """sums of random plane waves"""

    def __init__(self, n, size):
        g = torch.Generator().manual_seed(0)
        self.k = torch.randn(n, 3, 2, generator=g) * 8
        self.ph = torch.rand(n, 3, generator=g) * 6.28
        ax = torch.linspace(-1, 1, size)
        self.grid = torch.stack(torch.meshgrid(ax, ax, indexing="ij"))

    def __len__(self):
        return len(self.k)

    def __getitem__(self, i):
        return torch.sin(torch.einsum("cd,dhw->chw", self.k[i], self.grid) + self.ph[i][:, None, None])


class GBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(cin), nn.BatchNorm2d(cout)
        self.c1, self.c2 = nn.Conv2d(cin, cout, 3, padding=1), nn.Conv2d(cout, cout, 3, padding=1)
        self.skip = nn.Conv2d(cin, cout, 1)

    def forward(self, x):
        h = F.interpolate(F.relu(self.bn1(x)), scale_factor=2)
        h = self.c2(F.relu(self.bn2(self.c1(h))))
        return h + self.skip(F.interpolate(x, scale_factor=2))


class DBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.n1 = nn.GroupNorm(1, cin) if cin > 3 else nn.Identity()
        self.n2 = nn.GroupNorm(1, cout)
        self.c1, self.c2 = nn.Conv2d(cin, cout, 3, padding=1), nn.Conv2d(cout, cout, 3, padding=1)
        self.skip = nn.Conv2d(cin, cout, 1)

    def forward(self, x):
        h = self.c1(F.leaky_relu(self.n1(x), 0.2))
        h = F.avg_pool2d(self.c2(F.leaky_relu(self.n2(h), 0.2)), 2)
        return h + self.skip(F.avg_pool2d(x, 2))


class Generator(nn.Module):
    def __init__(self, z, ch):
        super().__init__()
        self.ch = ch
        self.fc = nn.Linear(z, ch * 8 * 16)
        self.blocks = nn.Sequential(GBlock(ch * 8, ch * 4), GBlock(ch * 4, ch * 2), GBlock(ch * 2, ch), GBlock(ch, ch))
        self.out = nn.Sequential(nn.BatchNorm2d(ch), nn.ReLU(), nn.Conv2d(ch, 3, 3, padding=1), nn.Tanh())

    def forward(self, z):
        return self.out(self.blocks(self.fc(z).view(len(z), self.ch * 8, 4, 4)))


class Critic(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.blocks = nn.Sequential(DBlock(3, ch), DBlock(ch, ch * 2), DBlock(ch * 2, ch * 4), DBlock(ch * 4, ch * 8))
        self.fc = nn.Linear(ch * 8 * 16, 1)

    def forward(self, x):
        return self.fc(self.blocks(x).flatten(1)).squeeze(1)


def gradient_penalty(D, real, fake):
    eps = torch.rand(len(real), 1, 1, 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    g = autograd.grad(D(mix).sum(), mix, create_graph=True)[0]
    return (g.flatten(1).norm(2, dim=1) - 1).pow(2).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=56)
    ap.add_argument("--ch", type=int, default=48)
    ap.add_argument("--z", type=int, default=128)
    ap.add_argument("--n_critic", type=int, default=3)
    ap.add_argument("--iters", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = "cuda"
    G, D = Generator(args.z, args.ch).to(device), Critic(args.ch).to(device)
    og = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), 1e-4, betas=(0.0, 0.9))
    loader = DataLoader(Textures(args.batch * args.n_critic, 64), args.batch, shuffle=True, drop_last=True)
    for it in range(args.iters):
        for real in loader:
            real = real.to(device)
            with torch.no_grad():
                fake = G(torch.randn(len(real), args.z, device=device))
            wd = D(fake).mean() - D(real).mean()
            gp = gradient_penalty(D, real, fake)
            od.zero_grad(set_to_none=True)
            (wd + 10 * gp).backward()
            od.step()
        for p in D.parameters():
            p.requires_grad_(False)
        lg = -D(G(torch.randn(args.batch, args.z, device=device))).mean()
        og.zero_grad(set_to_none=True)
        lg.backward()
        og.step()
        for p in D.parameters():
            p.requires_grad_(True)
        print(f"iter {it}: W={-wd.item():.3f} gp={gp.item():.3f} g={lg.item():.3f} "
              f"peak={torch.cuda.max_memory_allocated() / 1e9:.2f}GB")
    with tempfile.TemporaryDirectory() as td:
        torch.save({"G": G.state_dict(), "D": D.state_dict()}, os.path.join(td, "ckpt.pt"))


if __name__ == "__main__":
    main()
