# WGAN with gradient penalty, 5 critic updates per generator update; conditional batch norm in the generator.
import argparse
import os
import tempfile

import torch
from torch import autograd, nn, optim
from torchvision.utils import make_grid

parser = argparse.ArgumentParser()
parser.add_argument("--bs", type=int, default=128)
parser.add_argument("--nz", type=int, default=128)
parser.add_argument("--ngf", type=int, default=64)
parser.add_argument("--ndf", type=int, default=64)
parser.add_argument("--gen-iters", type=int, default=3)
parser.add_argument("--n-critic", type=int, default=5)
parser.add_argument("--gp", type=float, default=10.0)
opt = parser.parse_args()
CLASSES = 8
DEV = "cuda"


class CondBN(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.bn = nn.BatchNorm2d(c, affine=False)
        self.gb = nn.Embedding(CLASSES, 2 * c)
        nn.init.ones_(self.gb.weight[:, :c].data)
        nn.init.zeros_(self.gb.weight[:, c:].data)

    def forward(self, x, y):
        g, b = self.gb(y)[:, :, None, None].chunk(2, 1)
        return g * self.bn(x) + b


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        w = opt.ngf
        chans = [w * 8, w * 4, w * 2, w]
        self.start = nn.Linear(opt.nz, chans[0] * 16)
        self.ups = nn.ModuleList(nn.ConvTranspose2d(a, b, 4, 2, 1, bias=False) for a, b in zip(chans[:-1], chans[1:]))
        self.norms = nn.ModuleList(CondBN(b) for b in chans[1:])
        self.last = nn.ConvTranspose2d(chans[-1], 3, 4, 2, 1)
        self.c0 = chans[0]

    def forward(self, z, y):
        h = self.start(z).view(-1, self.c0, 4, 4)
        for up, norm in zip(self.ups, self.norms):
            h = torch.relu(norm(up(h), y))
        return torch.tanh(self.last(h))


class Critic(nn.Module):
    """no batch norm because of the penalty: layer norm over C,H,W"""

    def __init__(self):
        super().__init__()
        w, layers, ci, side = opt.ndf, [], 3, 64
        for k, co in enumerate((w, w * 2, w * 4, w * 8)):
            side //= 2
            layers.append(nn.Conv2d(ci, co, 4, 2, 1))
            if k:
                layers.append(nn.LayerNorm([co, side, side]))
            layers.append(nn.LeakyReLU(0.2))
            ci = co
        self.body = nn.Sequential(*layers, nn.Flatten())
        self.out = nn.Linear(ci * 16, 1)
        self.proj = nn.Embedding(CLASSES, ci * 16)

    def forward(self, x, y):
        h = self.body(x)
        return (self.out(h) + (self.proj(y) * h).sum(1, keepdim=True) / h.size(1)).squeeze(1)


def penalty(critic, real, fake, y):
    eps = torch.rand(real.size(0), 1, 1, 1, device=DEV)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix, y)
    grad = autograd.grad(score.sum(), mix, create_graph=True)[0]
    return ((grad.flatten(1).norm(2, 1) - 1) ** 2).mean()


def real_batch(n):
    y = torch.randint(0, CLASSES, (n,), device=DEV)
    lin = torch.linspace(-1, 1, 64, device=DEV)
    yy, xx = torch.meshgrid(lin, lin, indexing="ij")
    ang = (y.float() / CLASSES * 3.1416).view(-1, 1, 1)
    phase = torch.rand(n, 1, 1, device=DEV) * 6.28
    wave = torch.sin(12 * (xx * ang.cos() + yy * ang.sin()) + phase)
    return wave.unsqueeze(1).repeat(1, 3, 1, 1) * torch.rand(n, 3, 1, 1, device=DEV), y


torch.manual_seed(64)
G, D = Generator().to(DEV), Critic().to(DEV)
optG = optim.Adam(G.parameters(), lr=1e-4, betas=(0.0, 0.9))
optD = optim.Adam(D.parameters(), lr=1e-4, betas=(0.0, 0.9))
fixed_z, fixed_y = torch.randn(32, opt.nz, device=DEV), torch.arange(32, device=DEV) % CLASSES

for it in range(opt.gen_iters):
    for p in D.parameters():
        p.requires_grad_(True)
    for _ in range(opt.n_critic):
        real, y = real_batch(opt.bs)
        with torch.no_grad():
            fake = G(torch.randn(opt.bs, opt.nz, device=DEV), y)
        optD.zero_grad()
        gp = penalty(D, real, fake, y)
        wdist = D(real, y).mean() - D(fake, y).mean()
        (-wdist + opt.gp * gp).backward()
        optD.step()
    for p in D.parameters():
        p.requires_grad_(False)
    optG.zero_grad()
    y = torch.randint(0, CLASSES, (2 * opt.bs,), device=DEV)
    lossG = -D(G(torch.randn(2 * opt.bs, opt.nz, device=DEV), y), y).mean()
    lossG.backward()
    optG.step()
    print("iter %d  W %.3f  gp %.3f  G %.3f  peak %d MiB" % (it, wdist.item(), gp.item(), lossG.item(), torch.cuda.max_memory_allocated() >> 20))

G.eval()
with torch.no_grad(), tempfile.TemporaryDirectory() as tmp:
    grid = make_grid(G(fixed_z, fixed_y).cpu(), nrow=8, normalize=True)
    torch.save({"grid": grid, "G": G.state_dict(), "D": D.state_dict()}, os.path.join(tmp, "gan.pt"))
    print("grid", tuple(grid.shape))
