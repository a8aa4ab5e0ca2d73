"""WGAN with gradient penalty (double backward through the critic), several critic updates per generator update."""
import argparse

import torch
import torch.nn as nn
from torch import autograd

parser = argparse.ArgumentParser()
parser.add_argument("--n_iters", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=32)
parser.add_argument("--lr", type=float, default=1e-4)
parser.add_argument("--b1", type=float, default=0.0)
parser.add_argument("--b2", type=float, default=0.9)
parser.add_argument("--latent_dim", type=int, default=128)
parser.add_argument("--img_size", type=int, default=64)
parser.add_argument("--dim", type=int, default=96)
parser.add_argument("--n_critic", type=int, default=4)
parser.add_argument("--lambda_gp", type=float, default=10.0)
opt = parser.parse_args()
torch.manual_seed(99)
device = torch.device("cuda")


class UpBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.main = nn.Sequential(
            nn.BatchNorm2d(cin), nn.ReLU(), nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(cin, cout, 3, 1, 1),
            nn.BatchNorm2d(cout), nn.ReLU(), nn.Conv2d(cout, cout, 3, 1, 1))
        self.short = nn.Sequential(nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(cin, cout, 1))

    def forward(self, x):
        return self.main(x) + self.short(x)


class DownBlock(nn.Module):
    def __init__(self, cin, cout, size):
        super().__init__()
        self.main = nn.Sequential(
            nn.LayerNorm([cin, size, size]), nn.ReLU(), nn.Conv2d(cin, cin, 3, 1, 1),
            nn.LayerNorm([cin, size, size]), nn.ReLU(), nn.Conv2d(cin, cout, 3, 1, 1), nn.AvgPool2d(2))
        self.short = nn.Sequential(nn.AvgPool2d(2), nn.Conv2d(cin, cout, 1))

    def forward(self, x):
        return self.main(x) + self.short(x)


class Generator(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.d = d
        self.fc = nn.Linear(opt.latent_dim, 4 * 4 * 8 * d)
        ups, c, s = [], 8 * d, 4
        while s < opt.img_size:
            ups.append(UpBlock(c, max(d, c // 2)))
            c, s = max(d, c // 2), s * 2
        self.blocks = nn.Sequential(*ups)
        self.out = nn.Sequential(nn.BatchNorm2d(c), nn.ReLU(), nn.Conv2d(c, 3, 3, 1, 1), nn.Tanh())

    def forward(self, z):
        return self.out(self.blocks(self.fc(z).view(-1, 8 * self.d, 4, 4)))


class Critic(nn.Module):
    def __init__(self, d):
        super().__init__()
        layers, c, s = [nn.Conv2d(3, d, 3, 1, 1)], d, opt.img_size
        while s > 4:
            layers.append(DownBlock(c, min(8 * d, c * 2), s))
            c, s = min(8 * d, c * 2), s // 2
        self.blocks = nn.Sequential(*layers)
        self.fc = nn.Linear(c * 16, 1)

    def forward(self, x):
        return self.fc(self.blocks(x).flatten(1))


def compute_gradient_penalty(D, real, fake):
    alpha = torch.rand(real.size(0), 1, 1, 1, device=device)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    d_inter = D(inter)
    grads = autograd.grad(outputs=d_inter, inputs=inter, grad_outputs=torch.ones_like(d_inter), create_graph=True,
                          retain_graph=True, only_inputs=True)[0]
    return ((grads.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


generator, critic = Generator(opt.dim).to(device), Critic(opt.dim).to(device)
opt_g = torch.optim.Adam(generator.parameters(), lr=opt.lr, betas=(opt.b1, opt.b2))
opt_d = torch.optim.Adam(critic.parameters(), lr=opt.lr, betas=(opt.b1, opt.b2))

for it in range(opt.n_iters):
    for _ in range(opt.n_critic):
        real = torch.rand(opt.batch_size, 3, opt.img_size, opt.img_size, device=device) * 2 - 1
        z = torch.randn(opt.batch_size, opt.latent_dim, device=device)
        fake = generator(z).detach()
        opt_d.zero_grad()
        wd = critic(real).mean() - critic(fake).mean()
        gp = compute_gradient_penalty(critic, real, fake)
        d_loss = -wd + opt.lambda_gp * gp
        d_loss.backward()
        opt_d.step()
    opt_g.zero_grad()
    for p in critic.parameters():
        p.requires_grad_(False)
    g_loss = -critic(generator(torch.randn(opt.batch_size, opt.latent_dim, device=device))).mean()
    g_loss.backward()
    opt_g.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    print(f"[iter {it}] D {d_loss.item():.3f} wdist {wd.item():.3f} gp {gp.item():.3f} G {g_loss.item():.3f}")

with torch.no_grad():
    imgs = generator(torch.randn(100, opt.latent_dim, device=device))
print("samples", tuple(imgs.shape), f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")
