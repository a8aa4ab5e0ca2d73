"""Denoising diffusion on 64x64 images: attention U-Net, cosine schedule, EMA, then a short DDIM sampling run."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def timestep_embedding(t, dim):
    half = dim // 2
    f = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    a = t.float()[:, None] * f[None]
    return torch.cat([a.cos(), a.sin()], -1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, temb, dropout=0.1):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(32, cin), nn.Conv2d(cin, cout, 3, padding=1)
        self.t = nn.Linear(temb, 2 * cout)
        self.n2, self.c2 = nn.GroupNorm(32, cout), nn.Conv2d(cout, cout, 3, padding=1)
        self.drop = nn.Dropout(dropout)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()
        nn.init.zeros_(self.c2.weight)

    def forward(self, x, emb):
        h = self.c1(F.silu(self.n1(x)))
        scale, shift = self.t(F.silu(emb))[:, :, None, None].chunk(2, 1)
        h = self.n2(h) * (1 + scale) + shift
        return self.skip(x) + self.c2(self.drop(F.silu(h)))


class Attn(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.n, self.qkv, self.out, self.h = nn.GroupNorm(32, c), nn.Conv1d(c, 3 * c, 1), nn.Conv1d(c, c, 1), heads

    def forward(self, x):
        b, c, hh, ww = x.shape
        q, k, v = self.qkv(self.n(x).flatten(2)).view(b, 3, self.h, c // self.h, hh * ww).transpose(-1, -2).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v).transpose(-1, -2).reshape(b, c, -1)
        return x + self.out(y).view_as(x)


class UNet(nn.Module):
    def __init__(self, ch=96, mult=(1, 2, 3, 4), attn_at=(2, 3), classes=10):
        super().__init__()
        temb = ch * 4
        self.ch = ch
        self.emb = nn.Sequential(nn.Linear(ch, temb), nn.SiLU(), nn.Linear(temb, temb))
        self.label = nn.Embedding(classes + 1, temb)
        self.inp = nn.Conv2d(3, ch, 3, padding=1)
        self.down, self.up, chans, c = nn.ModuleList(), nn.ModuleList(), [ch], ch
        for i, m in enumerate(mult):
            for _ in range(2):
                self.down.append(nn.ModuleList([ResBlock(c, ch * m, temb), Attn(ch * m) if i in attn_at else nn.Identity()]))
                c = ch * m
                chans.append(c)
            if i < len(mult) - 1:
                self.down.append(nn.ModuleList([nn.Conv2d(c, c, 3, 2, 1)]))
                chans.append(c)
        self.mid = nn.ModuleList([ResBlock(c, c, temb), Attn(c), ResBlock(c, c, temb)])
        for i, m in reversed(list(enumerate(mult))):
            for j in range(3):
                self.up.append(nn.ModuleList([ResBlock(c + chans.pop(), ch * m, temb),
                                              Attn(ch * m) if i in attn_at else nn.Identity()]))
                c = ch * m
            if i > 0:
                self.up.append(nn.ModuleList([nn.Conv2d(c, c, 3, padding=1)]))
        self.out = nn.Sequential(nn.GroupNorm(32, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t, y):
        emb = self.emb(timestep_embedding(t, self.ch)) + self.label(y)
        h = self.inp(x)
        hs = [h]
        for blk in self.down:
            h = blk[0](h) if len(blk) == 1 else blk[1](blk[0](h, emb))
            hs.append(h)
        h = self.mid[2](self.mid[1](self.mid[0](h, emb)), emb)
        for blk in self.up:
            if len(blk) == 1:
                h = blk[0](F.interpolate(h, scale_factor=2.0, mode="nearest"))
            else:
                h = blk[1](blk[0](torch.cat([h, hs.pop()], 1), emb))
        return self.out(h)


T, SIZE, BATCH, STEPS, CLASSES = 1000, 64, 16, 5, 10


def main():
    torch.manual_seed(1234)
    dev = "cuda"
    s = torch.arange(T + 1, dtype=torch.float64) / T
    f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
    betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
    abar = torch.cumprod(1 - betas, 0).float().to(dev)
    net = UNet().to(dev)
    ema = copy.deepcopy(net).eval().requires_grad_(False)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-4, weight_decay=0.0)
    print(f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f}M parameters")
    for step in range(STEPS):
        x0 = torch.rand(BATCH, 3, SIZE, SIZE, device=dev) * 2 - 1
        y = torch.randint(0, CLASSES, (BATCH,), device=dev)
        y = torch.where(torch.rand(BATCH, device=dev) < 0.1, torch.full_like(y, CLASSES), y)
        t = torch.randint(0, T, (BATCH,), device=dev)
        a = abar[t].view(-1, 1, 1, 1)
        eps = torch.randn_like(x0)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            pred = net(a.sqrt() * x0 + (1 - a).sqrt() * eps, t, y)
        loss = F.mse_loss(pred.float(), eps)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        with torch.no_grad():
            for pe, p in zip(ema.parameters(), net.parameters()):
                pe.lerp_(p, 1 - 0.9995)
        print(f"step {step} loss {loss.item():.4f}")
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        x, n = torch.randn(16, 3, SIZE, SIZE, device=dev), 6
        y = torch.arange(16, device=dev) % CLASSES
        ts = torch.linspace(T - 1, 0, n + 1).long().tolist()
        for now, nxt in zip(ts[:-1], ts[1:]):
            tt = torch.full((32,), now, device=dev)
            e = ema(torch.cat([x, x]), tt, torch.cat([y, torch.full_like(y, CLASSES)])).float()
            cond, unc = e.chunk(2)
            e = unc + 2.0 * (cond - unc)
            x0 = ((x - (1 - abar[now]).sqrt() * e) / abar[now].sqrt()).clamp(-1, 1)
            x = abar[nxt].sqrt() * x0 + (1 - abar[nxt]).sqrt() * e
    print(f"samples mean {x.mean().item():.3f} std {x.std().item():.3f}; "
          f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
