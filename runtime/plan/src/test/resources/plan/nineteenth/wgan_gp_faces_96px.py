"""WGAN-GP at 96x96 with a residual critic. The gradient penalty needs a double backward through the critic."""
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.utils import make_grid, save_image

manual_seed = 999
torch.manual_seed(manual_seed)

nz, ngf, ndf, nc = 128, 64, 64, 3
image_size = 96
batch_size = 12
n_critic = 3
gen_iters = 3
lambda_gp = 10.0
device = torch.device("cuda")


class UpBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(cin), nn.BatchNorm2d(cout)
        self.c1, self.c2 = nn.Conv2d(cin, cout, 3, 1, 1), nn.Conv2d(cout, cout, 3, 1, 1)
        self.sc = nn.Conv2d(cin, cout, 1)

    def forward(self, x):
        h = F.interpolate(F.relu(self.bn1(x)), scale_factor=2)
        h = self.c2(F.relu(self.bn2(self.c1(h))))
        return h + self.sc(F.interpolate(x, scale_factor=2))


class DownBlock(nn.Module):
    def __init__(self, cin, cout, size):
        super().__init__()
        # layer norm: batch norm would couple the samples and break the penalty
        self.ln1, self.ln2 = nn.GroupNorm(1, cin), nn.GroupNorm(1, cin)
        self.c1, self.c2 = nn.Conv2d(cin, cin, 3, 1, 1), nn.Conv2d(cin, cout, 3, 1, 1)
        self.sc = nn.Conv2d(cin, cout, 1)

    def forward(self, x):
        h = self.c1(F.leaky_relu(self.ln1(x), 0.2))
        h = F.avg_pool2d(self.c2(F.leaky_relu(self.ln2(h), 0.2)), 2)
        return h + F.avg_pool2d(self.sc(x), 2)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = image_size // 16
        self.fc = nn.Linear(nz, 8 * ngf * self.s**2)
        self.body = nn.Sequential(
            UpBlock(8 * ngf, 8 * ngf), UpBlock(8 * ngf, 4 * ngf), UpBlock(4 * ngf, 2 * ngf), UpBlock(2 * ngf, ngf))
        self.out = nn.Sequential(nn.BatchNorm2d(ngf), nn.ReLU(True), nn.Conv2d(ngf, nc, 3, 1, 1), nn.Tanh())

    def forward(self, z):
        return self.out(self.body(self.fc(z).view(len(z), -1, self.s, self.s)))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Conv2d(nc, ndf, 3, 1, 1)
        s = image_size
        self.body = nn.Sequential(
            DownBlock(ndf, 2 * ndf, s), DownBlock(2 * ndf, 4 * ndf, s // 2), DownBlock(4 * ndf, 8 * ndf, s // 4),
            DownBlock(8 * ndf, 8 * ndf, s // 8))
        self.fc = nn.Linear(8 * ndf * (s // 16) ** 2, 1)

    def forward(self, x):
        return self.fc(self.body(self.inp(x)).flatten(1)).squeeze(1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1, device=device)
    mix = torch.lerp(real, fake, eps).requires_grad_(True)
    grad = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)[0]
    return lambda_gp * ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def real_batch():
    yy, xx = torch.meshgrid(*[torch.linspace(-1, 1, image_size, device=device)] * 2, indexing="ij")
    r = 0.4 + 0.3 * torch.rand(batch_size, 1, 1, device=device)
    face = ((xx**2 + yy**2).sqrt() < r).float()
    color = torch.rand(batch_size, 3, 1, 1, device=device)
    return (face[:, None] * color * 2 - 1).clamp(-1, 1)


def mem(tag):
    a, m = torch.cuda.memory_allocated() / 2**20, torch.cuda.max_memory_allocated() / 2**20
    print(f"{tag:<18}alloc {a:7.0f} MiB  peak {m:7.0f} MiB")


def main():
    G, D = Generator().to(device), Critic().to(device)
    mem("models")
    optG = torch.optim.Adam(G.parameters(), lr=1e-4, betas=(0.0, 0.9))
    optD = torch.optim.Adam(D.parameters(), lr=1e-4, betas=(0.0, 0.9))
    fixed = torch.randn(16, nz, device=device)
    for it in range(gen_iters):
        for p in D.parameters():
            p.requires_grad_(True)
        for _ in range(n_critic):
            real = real_batch()
            with torch.no_grad():
                fake = G(torch.randn(batch_size, nz, device=device))
            wass = D(fake).mean() - D(real).mean()
            gp = gradient_penalty(D, real, fake)
            optD.zero_grad()
            (wass + gp).backward()
            optD.step()
        for p in D.parameters():
            p.requires_grad_(False)
        lossG = -D(G(torch.randn(batch_size, nz, device=device))).mean()
        optG.zero_grad()
        lossG.backward()
        optG.step()
        print(f"[{it}] critic {wass.item():.3f} gp {gp.item():.3f} gen {lossG.item():.3f}")
        mem(f"iteration {it}")
    G.eval()
    with torch.no_grad(), tempfile.TemporaryDirectory() as d:
        save_image(make_grid(G(fixed), nrow=4, normalize=True), f"{d}/fake.png")


if __name__ == "__main__":
    main()
