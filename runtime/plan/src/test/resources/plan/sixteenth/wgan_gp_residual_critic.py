"""WGAN-GP (n_critic=3) with residual generator and critic, gradient penalty by double backward."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import grad

Z, DIM, RES = 128, 128, 32
BATCH, GEN_STEPS, N_CRITIC = 64, 3, 3
LAMBDA_GP = 10.0
DRIFT = 1e-3
DEV = torch.device("cuda")


class GenBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)
        self.c1, self.c2, self.sc = nn.Conv2d(c, c, 3, 1, 1), nn.Conv2d(c, c, 3, 1, 1), nn.Conv2d(c, c, 1)

    def forward(self, x):
        up = lambda v: F.interpolate(v, scale_factor=2, mode="nearest")
        h = self.c1(up(F.relu(self.bn1(x))))
        return self.c2(F.relu(self.bn2(h))) + self.sc(up(x))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(Z, DIM * 16)
        self.blocks = nn.Sequential(GenBlock(DIM), GenBlock(DIM), GenBlock(DIM))
        self.bn, self.out = nn.BatchNorm2d(DIM), nn.Conv2d(DIM, 3, 3, 1, 1)

    def forward(self, z):
        x = self.blocks(self.fc(z).view(-1, DIM, 4, 4))
        return torch.tanh(self.out(F.relu(self.bn(x))))


class CriticBlock(nn.Module):
    def __init__(self, cin, c, down, first=False):
        super().__init__()
        self.c1, self.c2 = nn.Conv2d(cin, c, 3, 1, 1), nn.Conv2d(c, c, 3, 1, 1)
        self.sc = nn.Conv2d(cin, c, 1) if down or cin != c else nn.Identity()
        self.down, self.first = down, first

    def forward(self, x):
        h = x if self.first else F.relu(x)
        h = self.c2(F.relu(self.c1(h)))
        s = self.sc(x)
        if self.down:
            h, s = F.avg_pool2d(h, 2), F.avg_pool2d(s, 2)
        return h + s


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(CriticBlock(3, DIM, True, True), CriticBlock(DIM, DIM, True),
                                    CriticBlock(DIM, DIM, False), CriticBlock(DIM, DIM, False))
        self.fc = nn.Linear(DIM, 1)

    def forward(self, x):
        return self.fc(F.relu(self.blocks(x)).mean((2, 3))).squeeze(1)


def gradient_penalty(critic, real, fake):
    a = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    x = (a * real + (1 - a) * fake).requires_grad_(True)
    out = critic(x)
    g = grad(out, x, grad_outputs=torch.ones_like(out), create_graph=True, retain_graph=True)[0]
    return ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def real_batch(gen):
    low = torch.randn(BATCH, 3, 4, 4, generator=gen)
    return torch.tanh(F.interpolate(low, size=RES, mode="bicubic")).to(DEV)


def main():
    torch.manual_seed(0)
    G, D = Generator().to(DEV), Critic().to(DEV)
    optG = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.0, 0.9))
    optD = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.0, 0.9))
    gen = torch.Generator().manual_seed(0)
    for it in range(GEN_STEPS):
        for p in D.parameters():
            p.requires_grad_(True)
        for _ in range(N_CRITIC):
            real = real_batch(gen)
            with torch.no_grad():
                fake = G(torch.randn(BATCH, Z, device=DEV))
            d_real, d_fake = D(real), D(fake)
            gp = gradient_penalty(D, real, fake)
            loss_d = d_fake.mean() - d_real.mean() + LAMBDA_GP * gp + DRIFT * d_real.pow(2).mean()
            optD.zero_grad(set_to_none=True)
            loss_d.backward()
            optD.step()
        for p in D.parameters():
            p.requires_grad_(False)
        loss_g = -D(G(torch.randn(BATCH * 2, Z, device=DEV))).mean()
        optG.zero_grad(set_to_none=True)
        loss_g.backward()
        optG.step()
        w = (d_real.mean() - d_fake.mean()).item()
        print(f"iter {it} W {w:.4f} gp {gp.item():.4f} loss_g {loss_g.item():.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    G.eval()
    with torch.no_grad():
        imgs = G(torch.randn(100, Z, device=DEV))
    print("samples", tuple(imgs.shape), "range", round(imgs.min().item(), 3), round(imgs.max().item(), 3))


if __name__ == "__main__":
    main()
