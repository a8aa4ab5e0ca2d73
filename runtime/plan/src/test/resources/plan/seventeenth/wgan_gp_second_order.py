#!/usr/bin/env python3
# WGAN-GP, residual nets, CIFAR sized. n_critic = 3. The penalty needs gradients of gradients.
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.autograd as autograd

Z, W, BS = 128, 128, 64
LAMBDA, N_CRITIC, ITERS = 10.0, 3, 4
dev = "cuda"


class UpBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.b1, self.b2 = nn.BatchNorm2d(c), nn.BatchNorm2d(c)
        self.c1, self.c2 = nn.Conv2d(c, c, 3, padding=1), nn.Conv2d(c, c, 3, padding=1)
        self.sc = nn.Conv2d(c, c, 1)

    def forward(self, x):
        u = lambda t: F.interpolate(t, scale_factor=2, mode="nearest")
        h = self.c1(u(F.relu(self.b1(x))))
        return self.c2(F.relu(self.b2(h))) + self.sc(u(x))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(Z, W * 16)
        self.blocks = nn.Sequential(UpBlock(W), UpBlock(W), UpBlock(W))
        self.out = nn.Sequential(nn.BatchNorm2d(W), nn.ReLU(), nn.Conv2d(W, 3, 3, padding=1), nn.Tanh())

    def forward(self, z):
        return self.out(self.blocks(self.fc(z).view(-1, W, 4, 4)))


class DownBlock(nn.Module):
    def __init__(self, i, o, down):
        super().__init__()
        self.c1, self.c2, self.sc = nn.Conv2d(i, o, 3, padding=1), nn.Conv2d(o, o, 3, padding=1), nn.Conv2d(i, o, 1)
        self.down = down

    def forward(self, x):
        h = self.c2(F.softplus(self.c1(F.softplus(x))))
        s = self.sc(x)
        return F.avg_pool2d(h + s, 2) if self.down else h + s


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(DownBlock(3, W, True), DownBlock(W, W, True), DownBlock(W, W, False), DownBlock(W, W, False))
        self.fc = nn.Linear(W, 1)

    def forward(self, x):
        return self.fc(F.softplus(self.body(x)).mean((2, 3))).squeeze(1)


def gradient_penalty(D, real, fake):
    eps = torch.rand(real.size(0), 1, 1, 1, device=real.device)
    xi = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = D(xi)
    (g,) = autograd.grad(out.sum(), xi, create_graph=True)
    return ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def main():
    torch.manual_seed(64)
    G, D = Generator().to(dev), Critic().to(dev)
    og = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.0, 0.9))
    od = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.0, 0.9))
    decay = lambda s: 1 - s / (ITERS + 1)
    sg, sd = (torch.optim.lr_scheduler.LambdaLR(o, decay) for o in (og, od))
    data = torch.rand(1024, 3, 32, 32) * 2 - 1
    for it in range(ITERS):
        for p in D.parameters():
            p.requires_grad_(True)
        for _ in range(N_CRITIC):
            real = data[torch.randint(len(data), (BS,))].to(dev)
            with torch.no_grad():
                fake = G(torch.randn(BS, Z, device=dev))
            od.zero_grad()
            w = D(real).mean() - D(fake).mean()
            gp = gradient_penalty(D, real, fake)
            (-w + LAMBDA * gp).backward()
            od.step()
        for p in D.parameters():
            p.requires_grad_(False)
        og.zero_grad()
        loss_g = -D(G(torch.randn(2 * BS, Z, device=dev))).mean()
        loss_g.backward()
        og.step()
        sg.step()
        sd.step()
        print(f"it {it} wdist {w.item():+.4f} gp {gp.item():.4f} G {loss_g.item():+.4f} "
              f"mem {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
