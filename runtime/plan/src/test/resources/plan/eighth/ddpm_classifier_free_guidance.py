import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
T = 1000
beta = torch.linspace(1e-4, 0.02, T, device="cuda")
alpha_bar = torch.cumprod(1 - beta, 0)


class Res(nn.Module):
    def __init__(self, i, o, t):
        super().__init__()
        self.a = nn.Sequential(nn.GroupNorm(8, i), nn.SiLU(), nn.Conv2d(i, o, 3, padding=1))
        self.scale = nn.Linear(t, 2 * o)
        self.norm, self.b = nn.GroupNorm(8, o), nn.Sequential(nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(o, o, 3, padding=1))
        self.skip = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, t):
        scale, shift = self.scale(t)[:, :, None, None].chunk(2, 1)
        return self.b(self.norm(self.a(x)) * (1 + scale) + shift) + self.skip(x)


class UNet(nn.Module):
    def __init__(self, c=64, t=256, classes=10):
        super().__init__()
        self.time, self.label = nn.Sequential(nn.Linear(c, t), nn.SiLU(), nn.Linear(t, t)), nn.Embedding(classes + 1, t)
        self.c, self.into = c, nn.Conv2d(3, c, 3, padding=1)
        self.down = nn.ModuleList([Res(c, c, t), Res(c, 2 * c, t), Res(2 * c, 2 * c, t)])
        self.smaller = nn.ModuleList([nn.Conv2d(c, c, 3, 2, 1), nn.Conv2d(2 * c, 2 * c, 3, 2, 1)])
        self.mid, self.attend = Res(2 * c, 2 * c, t), nn.MultiheadAttention(2 * c, 4, batch_first=True)
        self.up = nn.ModuleList([Res(4 * c, 2 * c, t), Res(4 * c, c, t), Res(2 * c, c, t)])
        self.out = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t, y):
        f = torch.exp(torch.arange(self.c // 2, device=x.device) * (-math.log(10000) / (self.c // 2)))
        e = self.time(torch.cat([torch.sin(t[:, None] * f), torch.cos(t[:, None] * f)], 1)) + self.label(y)
        x, kept = self.into(x), []
        for i, block in enumerate(self.down):
            x = block(x, e)
            kept.append(x)
            if i < 2:
                x = self.smaller[i](x)
        x = self.mid(x, e)
        n, c, h, w = x.shape
        flat = x.flatten(2).transpose(1, 2)
        x = x + self.attend(flat, flat, flat, need_weights=False)[0].transpose(1, 2).view(n, c, h, w)
        for i, block in enumerate(self.up):
            x = block(torch.cat([x, kept.pop()], 1), e)
            if i < 2:
                x = F.interpolate(x, scale_factor=2.0, mode="nearest")
        return self.out(x)


net = UNet().cuda()
ema = copy.deepcopy(net).eval().requires_grad_(False)
opt = torch.optim.AdamW(net.parameters(), lr=2e-4)
scaler = torch.amp.GradScaler()
for _ in range(3):
    x, y = torch.randn(32, 3, 32, 32, device="cuda"), torch.randint(0, 10, (32,), device="cuda")
    y = torch.where(torch.rand(32, device="cuda") < 0.1, 10, y)
    t, noise = torch.randint(0, T, (32,), device="cuda"), torch.randn_like(x)
    a = alpha_bar[t][:, None, None, None]
    with torch.autocast("cuda", dtype=torch.float16):
        loss = F.mse_loss(net(a.sqrt() * x + (1 - a).sqrt() * noise, t, y).float(), noise)
    opt.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    with torch.no_grad():
        for p, q in zip(ema.parameters(), net.parameters()):
            p.lerp_(q, 0.001)
with torch.no_grad():
    x, y = torch.randn(16, 3, 32, 32, device="cuda"), torch.arange(16, device="cuda") % 10
    for i in range(999, 0, -200):
        t = torch.full((32,), i, device="cuda")
        with_label, without = ema(torch.cat([x, x]), t, torch.cat([y, torch.full_like(y, 10)])).chunk(2)
        eps = without + 3.0 * (with_label - without)
        x = (x - beta[i] / (1 - alpha_bar[i]).sqrt() * eps) / (1 - beta[i]).sqrt() + beta[i].sqrt() * torch.randn_like(x)
