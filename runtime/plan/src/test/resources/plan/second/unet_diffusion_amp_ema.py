import copy, math
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, i, o, t):
        super().__init__()
        self.n1, self.c1, self.t = nn.GroupNorm(8, i), nn.Conv2d(i, o, 3, padding=1), nn.Linear(t, o)
        self.n2, self.c2 = nn.GroupNorm(8, o), nn.Conv2d(o, o, 3, padding=1)
        self.skip = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, t):
        h = self.c1(F.silu(self.n1(x))) + self.t(F.silu(t))[:, :, None, None]
        return self.c2(F.silu(self.n2(h))) + self.skip(x)


class Attend(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.norm, self.qkv, self.out, self.heads = nn.GroupNorm(8, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1), heads

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(b, 3, self.heads, c // self.heads, h * w).transpose(-1, -2).unbind(1)
        return x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(-1, -2).reshape(b, c, h, w))


class UNet(nn.Module):
    def __init__(self, c=64):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(c, 4 * c), nn.SiLU(), nn.Linear(4 * c, 4 * c))
        self.inp = nn.Conv2d(3, c, 3, padding=1)
        self.d1, self.d2, self.mid, self.att = Block(c, c, 4 * c), Block(c, 2 * c, 4 * c), Block(2 * c, 2 * c, 4 * c), Attend(2 * c)
        self.u2, self.u1 = Block(4 * c, c, 4 * c), Block(2 * c, c, 4 * c)
        self.out = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))
        self.c = c

    def forward(self, x, t):
        f = torch.exp(-math.log(10000) * torch.arange(self.c // 2, device=x.device) / (self.c // 2))
        a = t[:, None].float() * f[None]
        t = self.time(torch.cat([a.sin(), a.cos()], 1))
        h1 = self.d1(self.inp(x), t)
        h2 = self.d2(F.avg_pool2d(h1, 2), t)
        m = self.att(self.mid(F.avg_pool2d(h2, 2), t))
        m = self.u2(torch.cat([F.interpolate(m, scale_factor=2, mode="nearest"), h2], 1), t)
        return self.out(self.u1(torch.cat([F.interpolate(m, scale_factor=2, mode="bilinear"), h1], 1), t))


torch.manual_seed(0)
model = UNet().cuda()
ema = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.AdamW(model.parameters(), lr=2e-4)
betas = torch.linspace(1e-4, 0.02, 1000, device="cuda")
alphas = torch.cumprod(1 - betas, 0)
for step in range(3):
    x, noise = torch.randn(16, 3, 64, 64, device="cuda"), torch.randn(16, 3, 64, 64, device="cuda")
    t = torch.randint(0, 1000, (16,), device="cuda")
    a = alphas[t].view(-1, 1, 1, 1)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.mse_loss(model(a.sqrt() * x + (1 - a).sqrt() * noise, t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p, q in zip(ema.parameters(), model.parameters()):
        p.lerp_(q.detach(), 0.01)
