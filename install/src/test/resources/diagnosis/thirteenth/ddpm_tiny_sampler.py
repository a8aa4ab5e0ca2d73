# limit: 2.0
import math
import torch
from torch import nn

DEV = "cuda"
torch.manual_seed(11)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm = nn.GroupNorm(8, c)
        self.conv = nn.Conv2d(c, c, 3, padding=1)
        self.temb = nn.Linear(64, c)

    def forward(self, x, t):
        h = self.conv(nn.functional.silu(self.norm(x)))
        return x + h + self.temb(t)[:, :, None, None]


class Eps(nn.Module):
    def __init__(self, c=64, depth=4):
        super().__init__()
        self.inp = nn.Conv2d(3, c, 3, padding=1)
        self.blocks = nn.ModuleList(Block(c) for _ in range(depth))
        self.out = nn.Conv2d(c, 3, 3, padding=1)

    def forward(self, x, t):
        freqs = torch.exp(torch.arange(32, device=x.device) * (-math.log(1e4) / 32))
        ang = t[:, None].float() * freqs[None]
        emb = torch.cat([ang.sin(), ang.cos()], 1)
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, emb)
        return self.out(h)


T = 100
betas = torch.linspace(1e-4, 0.02, T, device=DEV)
abar = torch.cumprod(1 - betas, 0)
net = Eps().to(DEV)
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)


def train_step(x0):
    t = torch.randint(0, T, (x0.shape[0],), device=DEV)
    noise = torch.randn_like(x0)
    a = abar[t][:, None, None, None]
    pred = net(a.sqrt() * x0 + (1 - a).sqrt() * noise, t)
    loss = (pred - noise).pow(2).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    return loss.item()


def sample(n):
    x = torch.randn(n, 3, 64, 64, device=DEV)
    for i in reversed(range(T)):
        t = torch.full((n,), i, device=DEV)
        eps = net(x, t)
        x = (x - betas[i] / (1 - abar[i]).sqrt() * eps) / (1 - betas[i]).sqrt()
        if i > 0:
            x = x + betas[i].sqrt() * torch.randn_like(x)
    return x.clamp(-1, 1)


for epoch in range(2):
    for step in range(20):
        x0 = torch.rand(24, 3, 64, 64, device=DEV) * 2 - 1
        l = train_step(x0)
    print("epoch", epoch, "loss", round(l, 4))

net.eval()
grid = sample(16)
print("samples", grid.shape, grid.mean().item())
