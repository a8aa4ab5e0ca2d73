"""DDPM on 64x64 images: UNet with attention at 16x16 and 8x8, EMA of the weights, DDIM sampling at the end."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

DEVICE = "cuda"
CH = 96
MULT = (1, 2, 3, 4)
BATCH = 16
SIZE = 64
STEPS = 5
T = 1000
SAMPLES, DDIM_STEPS = 16, 15


class TimeEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.net = nn.Sequential(nn.Linear(dim, 4 * dim), nn.SiLU(), nn.Linear(4 * dim, 4 * dim))

    def forward(self, t):
        f = torch.exp(-math.log(10000) * torch.arange(self.dim // 2, device=t.device) / (self.dim // 2))
        a = t[:, None].float() * f[None]
        return self.net(torch.cat([a.sin(), a.cos()], -1))


class Res(nn.Module):
    def __init__(self, i, o, temb, drop=0.1):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(16, i), nn.Conv2d(i, o, 3, 1, 1)
        self.t = nn.Linear(temb, 2 * o)
        self.n2, self.c2 = nn.GroupNorm(16, o), nn.Conv2d(o, o, 3, 1, 1)
        nn.init.zeros_(self.c2.weight)
        self.drop = nn.Dropout(drop)
        self.skip = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, e):
        h = self.c1(F.silu(self.n1(x)))
        s, b = self.t(F.silu(e))[:, :, None, None].chunk(2, 1)
        h = self.n2(h) * (1 + s) + b
        return self.skip(x) + self.c2(self.drop(F.silu(h)))


class Attn(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.heads = heads
        self.n, self.qkv, self.o = nn.GroupNorm(16, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

    def forward(self, x):
        B, C, H, W = x.shape
        q, k, v = self.qkv(self.n(x)).view(B, 3, self.heads, C // self.heads, H * W).transpose(3, 4).unbind(1)
        w = (q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))).softmax(-1)
        return x + self.o((w @ v).transpose(2, 3).reshape(B, C, H, W))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        e = 4 * CH
        self.temb = TimeEmb(CH)
        self.inp = nn.Conv2d(3, CH, 3, 1, 1)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        c, res, skips = CH, SIZE, [CH]
        for lvl, m in enumerate(MULT):
            for _ in range(2):
                self.down.append(nn.ModuleList([Res(c, CH * m, e), Attn(CH * m) if res <= SIZE // 4 else nn.Identity()]))
                c = CH * m
                skips.append(c)
            if lvl < len(MULT) - 1:
                self.down.append(nn.Conv2d(c, c, 3, 2, 1))
                skips.append(c)
                res //= 2
        self.mid1, self.mida, self.mid2 = Res(c, c, e), Attn(c), Res(c, c, e)
        for lvl, m in reversed(list(enumerate(MULT))):
            for j in range(3):
                self.up.append(nn.ModuleList([Res(c + skips.pop(), CH * m, e),
                                              Attn(CH * m) if res <= SIZE // 4 else nn.Identity()]))
                c = CH * m
            if lvl:
                self.up.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, 1, 1)))
                res *= 2
        self.out = nn.Sequential(nn.GroupNorm(16, c), nn.SiLU(), nn.Conv2d(c, 3, 3, 1, 1))

    def forward(self, x, t):
        e, h = self.temb(t), self.inp(x)
        hs = [h]
        for b in self.down:
            h = b[1](b[0](h, e)) if isinstance(b, nn.ModuleList) else b(h)
            hs.append(h)
        h = self.mid2(self.mida(self.mid1(h, e)), e)
        for b in self.up:
            h = b[1](b[0](torch.cat([h, hs.pop()], 1), e)) if isinstance(b, nn.ModuleList) else b(h)
        return self.out(h)


betas = torch.linspace(1e-4, 0.02, T)
abar = torch.cumprod(1 - betas, 0).to(DEVICE)


@torch.no_grad()
def ddim(model, n):
    x = torch.randn(n, 3, SIZE, SIZE, device=DEVICE)
    ts = torch.linspace(T - 1, 0, DDIM_STEPS).long().tolist()
    for i, t in enumerate(ts):
        eps = model(x, torch.full((n,), t, device=DEVICE))
        x0 = ((x - (1 - abar[t]).sqrt() * eps) / abar[t].sqrt()).clamp(-1, 1)
        a_next = abar[ts[i + 1]] if i + 1 < len(ts) else torch.ones((), device=DEVICE)
        x = a_next.sqrt() * x0 + (1 - a_next).sqrt() * eps
    return x


def main():
    torch.manual_seed(0)
    net = UNet().to(DEVICE)
    ema = copy.deepcopy(net).eval().requires_grad_(False)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-4, weight_decay=0.0)
    print(f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f}M params")
    for step in range(STEPS):
        x0 = torch.rand(BATCH, 3, SIZE, SIZE, device=DEVICE) * 2 - 1
        t = torch.randint(T, (BATCH,), device=DEVICE)
        noise = torch.randn_like(x0)
        a = abar[t].view(-1, 1, 1, 1)
        loss = F.mse_loss(net(a.sqrt() * x0 + (1 - a).sqrt() * noise, t), noise)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        with torch.no_grad():
            for pe, p in zip(ema.parameters(), net.parameters()):
                pe.lerp_(p, 1e-3)
        print(f"step {step} mse {loss.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    img = ddim(ema, SAMPLES)
    print("sample range", img.min().item(), img.max().item())


if __name__ == "__main__":
    main()
