#!/usr/bin/env python3
"""WGAN-GP on 64x64 images: 3 critic steps per generator step, gradient penalty needs double backward."""
import os
import tempfile

import torch
import torch.nn as nn
from torchvision.utils import make_grid, save_image

nz, ngf, ndf = 128, 96, 96
batch_size = 96
n_critic = 3
gen_iters = 4
lambda_gp = 10.0
device = torch.device("cuda")


class Generator(nn.Module):
    def __init__(self):
        super().__init__()

        def up(ci, co):
            return [nn.ConvTranspose2d(ci, co, 4, 2, 1, bias=False), nn.BatchNorm2d(co), nn.ReLU(True)]

        self.net = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 8, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 8), nn.ReLU(True),
            *up(ngf * 8, ngf * 4), *up(ngf * 4, ngf * 2), *up(ngf * 2, ngf),
            nn.ConvTranspose2d(ngf, 3, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.net(z[:, :, None, None])


class Critic(nn.Module):
    def __init__(self):
        super().__init__()

        def down(ci, co):
            return [nn.Conv2d(ci, co, 4, 2, 1), nn.GroupNorm(1, co), nn.LeakyReLU(0.2)]

        self.net = nn.Sequential(
            nn.Conv2d(3, ndf, 4, 2, 1), nn.LeakyReLU(0.2),
            *down(ndf, ndf * 2), *down(ndf * 2, ndf * 4), *down(ndf * 4, ndf * 8),
            nn.Conv2d(ndf * 8, 1, 4, 1, 0))

    def forward(self, x):
        return self.net(x).flatten()


def init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0, 0.02)


def real_images(n):
    """blobs of random colour"""
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 64, device=device), torch.linspace(-1, 1, 64, device=device),
                            indexing="ij")
    c = torch.rand(n, 2, 1, 1, device=device) - 0.5
    r = 0.2 + 0.5 * torch.rand(n, 1, 1, device=device)
    blob = torch.exp(-(((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2) / r ** 2))
    colour = torch.rand(n, 3, 1, 1, device=device)
    return blob.unsqueeze(1) * colour * 2 - 1


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1, device=device)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def main():
    torch.manual_seed(0)
    G, D = Generator().to(device).apply(init), Critic().to(device).apply(init)
    optG = torch.optim.Adam(G.parameters(), lr=1e-4, betas=(0.0, 0.9))
    optD = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.0, 0.9))
    fixed = torch.randn(36, nz, device=device)
    workdir = tempfile.mkdtemp()

    for it in range(gen_iters):
        for p in D.parameters():
            p.requires_grad_(True)
        for _ in range(n_critic):
            real = real_images(batch_size)
            with torch.no_grad():
                fake = G(torch.randn(batch_size, nz, device=device))
            d_real, d_fake = D(real).mean(), D(fake).mean()
            gp = gradient_penalty(D, real, fake)
            d_loss = d_fake - d_real + lambda_gp * gp
            optD.zero_grad()
            d_loss.backward()
            optD.step()
        for p in D.parameters():
            p.requires_grad_(False)
        g_loss = -D(G(torch.randn(batch_size, nz, device=device))).mean()
        optG.zero_grad()
        g_loss.backward()
        optG.step()
        print(f"[{it}] W-dist {(d_real - d_fake).item():.3f} gp {gp.item():.3f} G {g_loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    G.eval()
    with torch.no_grad():
        grid = make_grid(G(fixed).cpu(), nrow=6, normalize=True)
    path = os.path.join(workdir, "samples.png")
    save_image(grid, path)
    print("wrote grid of shape", tuple(grid.shape))
    os.remove(path)
    os.rmdir(workdir)


if __name__ == "__main__":
    main()
