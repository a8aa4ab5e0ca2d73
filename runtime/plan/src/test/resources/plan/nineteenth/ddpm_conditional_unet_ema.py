"""Class-conditional DDPM at 64px: attention U-Net, min-SNR loss weights, EMA, classifier-free guidance with DDIM."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(64)
DEVICE = "cuda"
SIZE, CH, MULT, ATTN_AT = 64, 96, (1, 2, 2, 4), (16, 8)
BATCH, STEPS, T = 16, 5, 1000
CLASSES = 10
SAMPLES, DDIM_STEPS, GUIDE = 16, 8, 2.0


def temb(t, dim):
    f = torch.exp(-math.log(10000) * torch.arange(dim // 2, device=t.device) / (dim // 2))
    a = t[:, None].float() * f[None]
    return torch.cat([a.sin(), a.cos()], -1)


class Res(nn.Module):
    def __init__(self, i, o, e):
        super().__init__()
        self.a = nn.Sequential(nn.GroupNorm(16, i), nn.SiLU(), nn.Conv2d(i, o, 3, padding=1))
        self.e = nn.Linear(e, 2 * o)
        self.n = nn.GroupNorm(16, o)
        self.b = nn.Sequential(nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(o, o, 3, padding=1))
        self.s = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, e):
        h = self.a(x)
        g, b = self.e(F.silu(e))[:, :, None, None].chunk(2, 1)
        return self.s(x) + self.b(self.n(h) * (1 + g) + b)


class Attn(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.n, self.qkv, self.o, self.h = nn.GroupNorm(16, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1), heads

    def forward(self, x):
        b, c, hh, ww = x.shape
        q, k, v = self.qkv(self.n(x)).view(b, 3, self.h, c // self.h, hh * ww).transpose(-1, -2).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v)
        return x + self.o(y.transpose(-1, -2).reshape(b, c, hh, ww))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        e = 4 * CH
        self.t = nn.Sequential(nn.Linear(CH, e), nn.SiLU(), nn.Linear(e, e))
        self.y = nn.Embedding(CLASSES + 1, e)
        self.inp = nn.Conv2d(3, CH, 3, padding=1)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        c, res, skips = CH, SIZE, [CH]
        for i, m in enumerate(MULT):
            for _ in range(2):
                self.down.append(nn.ModuleList([Res(c, CH * m, e), Attn(CH * m) if res in ATTN_AT else nn.Identity()]))
                c = CH * m
                skips.append(c)
            if i < len(MULT) - 1:
                self.down.append(nn.Conv2d(c, c, 3, 2, 1))
                skips.append(c)
                res //= 2
        self.mid = nn.ModuleList([Res(c, c, e), Attn(c), Res(c, c, e)])
        for i, m in reversed(list(enumerate(MULT))):
            for j in range(3):
                self.up.append(nn.ModuleList(
                    [Res(c + skips.pop(), CH * m, e), Attn(CH * m) if res in ATTN_AT else nn.Identity()]))
                c = CH * m
            if i:
                self.up.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)))
                res *= 2
        self.out = nn.Sequential(nn.GroupNorm(16, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t, y):
        e = self.t(temb(t, CH)) + self.y(y)
        h = self.inp(x)
        hs = [h]
        for d in self.down:
            h = d(h) if isinstance(d, nn.Conv2d) else d[1](d[0](h, e))
            hs.append(h)
        h = self.mid[2](self.mid[1](self.mid[0](h, e)), e)
        for u in self.up:
            h = u(h) if isinstance(u, nn.Sequential) else u[1](u[0](torch.cat([h, hs.pop()], 1), e))
        return self.out(h)


abar = torch.cos((torch.arange(T + 1) / T + 0.008) / 1.008 * math.pi / 2).pow(2)
abar = (abar[1:] / abar[0]).clamp(1e-5, 0.9999).to(DEVICE)
net = UNet().to(DEVICE)
ema = copy.deepcopy(net).eval().requires_grad_(False)
opt = torch.optim.AdamW(net.parameters(), lr=2e-4, betas=(0.9, 0.99), weight_decay=0.0)
print(f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f}M")
for step in range(STEPS):
    x = F.interpolate(torch.rand(BATCH, 3, 8, 8, device=DEVICE) * 2 - 1, size=SIZE, mode="bicubic")
    y = torch.randint(0, CLASSES, (BATCH,), device=DEVICE)
    y = torch.where(torch.rand(BATCH, device=DEVICE) < 0.1, torch.full_like(y, CLASSES), y)
    t = torch.randint(0, T, (BATCH,), device=DEVICE)
    a = abar[t][:, None, None, None]
    eps = torch.randn_like(x)
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        pred = net(a.sqrt() * x + (1 - a).sqrt() * eps, t, y)
    snr = abar[t] / (1 - abar[t])
    loss = ((pred.float() - eps).square().mean((1, 2, 3)) * snr.clamp_max(5) / snr).mean()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
    with torch.no_grad():
        torch._foreach_lerp_(list(ema.parameters()), list(net.parameters()), 1 - min(0.9999, (1 + step) / (10 + step)))
    print(f"{step} {loss.item():.4f} {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

with torch.inference_mode():
    x = torch.randn(SAMPLES, 3, SIZE, SIZE, device=DEVICE)
    y = torch.arange(SAMPLES, device=DEVICE) % CLASSES
    ts = torch.linspace(T - 1, 0, DDIM_STEPS + 1).long().tolist()
    for hi, lo in zip(ts, ts[1:]):
        tt = torch.full((2 * SAMPLES,), hi, device=DEVICE)
        c, u = ema(x.repeat(2, 1, 1, 1), tt, torch.cat([y, torch.full_like(y, CLASSES)])).chunk(2)
        e = u + GUIDE * (c - u)
        x0 = ((x - (1 - abar[hi]).sqrt() * e) / abar[hi].sqrt()).clamp(-1, 1)
        x = abar[lo].sqrt() * x0 + (1 - abar[lo]).sqrt() * e
print("samples", tuple(x.shape), f"std {x.std().item():.3f}")
