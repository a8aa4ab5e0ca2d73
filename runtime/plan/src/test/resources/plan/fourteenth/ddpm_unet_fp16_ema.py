"""Denoising diffusion on synthetic 64px images: UNet with attention, fp16 + GradScaler, EMA, cosine schedule."""
import copy
import math
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


def timestep_embedding(t, dim):
    half = dim // 2
    f = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    a = t[:, None].float() * f[None]
    return torch.cat([a.cos(), a.sin()], -1)


class ResBlock(nn.Module):
    def __init__(self, i, o, emb, drop=0.1):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(16, i), nn.Conv2d(i, o, 3, padding=1)
        self.e = nn.Linear(emb, 2 * o)
        self.n2, self.c2 = nn.GroupNorm(16, o), nn.Conv2d(o, o, 3, padding=1)
        self.drop = nn.Dropout(drop)
        nn.init.zeros_(self.c2.weight)
        self.sk = nn.Conv2d(i, o, 1) if i != o else nn.Identity()

    def forward(self, x, emb):
        h = self.c1(F.silu(self.n1(x)))
        sc, sh = self.e(emb)[:, :, None, None].chunk(2, 1)
        h = self.n2(h) * (1 + sc) + sh
        return self.sk(x) + self.c2(self.drop(F.silu(h)))


class Attn(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.h = heads
        self.n = nn.GroupNorm(16, c)
        self.qkv, self.o = nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

    def forward(self, x):
        B, C, H, W = x.shape
        q, k, v = self.qkv(self.n(x)).reshape(B, 3, self.h, C // self.h, H * W).transpose(-1, -2).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v)
        return x + self.o(y.transpose(-1, -2).reshape(B, C, H, W))


class UNet(nn.Module):
    def __init__(self, ch=64, mult=(1, 2, 3, 4), attn=(2, 3), n_res=2):
        super().__init__()
        emb = ch * 4
        self.ch = ch
        self.time = nn.Sequential(nn.Linear(ch, emb), nn.SiLU(), nn.Linear(emb, emb), nn.SiLU())
        self.inp = nn.Conv2d(3, ch, 3, padding=1)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        chans, c = [ch], ch
        for l, m in enumerate(mult):
            for _ in range(n_res):
                self.down.append(nn.ModuleList([ResBlock(c, ch * m, emb), Attn(ch * m) if l in attn else nn.Identity()]))
                c = ch * m
                chans.append(c)
            if l < len(mult) - 1:
                self.down.append(nn.Conv2d(c, c, 3, 2, 1))
                chans.append(c)
        self.mid = nn.ModuleList([ResBlock(c, c, emb), Attn(c), ResBlock(c, c, emb)])
        for l, m in reversed(list(enumerate(mult))):
            for k in range(n_res + 1):
                self.up.append(nn.ModuleList([ResBlock(c + chans.pop(), ch * m, emb), Attn(ch * m) if l in attn else nn.Identity(),
                                              nn.Conv2d(ch * m, ch * m, 3, padding=1) if (k == n_res and l > 0) else nn.Identity()]))
                c = ch * m
        self.out = nn.Sequential(nn.GroupNorm(16, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t):
        e = self.time(timestep_embedding(t, self.ch))
        x = self.inp(x)
        skips = [x]
        for m in self.down:
            x = m(x) if isinstance(m, nn.Conv2d) else m[1](m[0](x, e))
            skips.append(x)
        x = self.mid[2](self.mid[1](self.mid[0](x, e)), e)
        for res, att, us in self.up:
            x = att(res(torch.cat([x, skips.pop()], 1), e))
            if isinstance(us, nn.Conv2d):
                x = us(F.interpolate(x, scale_factor=2.0, mode="nearest"))
        return self.out(x)


@contextmanager
def swap(model, ema):
    backup = {k: v.clone() for k, v in model.state_dict().items()}
    model.load_state_dict(ema.state_dict())
    yield
    model.load_state_dict(backup)


def main():
    BATCH = 40
    RES = 64
    STEPS = 5
    T = 1000
    torch.manual_seed(8)
    dev = "cuda"
    net = UNet().to(dev)
    ema = copy.deepcopy(net).eval().requires_grad_(False)
    s = torch.arange(T + 1, device=dev) / T
    abar = (torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2).clamp(1e-5, 0.9999)
    opt = torch.optim.AdamW(net.parameters(), 2e-4)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0**12)
    for step in range(STEPS):
        low = torch.randn(BATCH, 3, 8, 8, device=dev)
        x0 = F.interpolate(low, size=RES, mode="bicubic").clamp(-2, 2) / 2
        t = torch.randint(1, T + 1, (BATCH,), device=dev)
        ab = abar[t][:, None, None, None]
        eps = torch.randn_like(x0)
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * eps
        snr = ab / (1 - ab)
        with torch.autocast("cuda", dtype=torch.float16):
            pred = net(xt, t)
        w = (snr.clamp(max=5) / snr).flatten()
        loss = (w * (pred.float() - eps).pow(2).mean((1, 2, 3))).mean()
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        with torch.no_grad():
            for a, b in zip(ema.parameters(), net.parameters()):
                a.lerp_(b, 1 - 0.995)
        print(f"step {step} loss {loss.item():.4f} scale {scaler.get_scale():.0f}")
    with swap(net, ema), torch.inference_mode(), torch.autocast("cuda", dtype=torch.float16):
        net.eval()
        x = torch.randn(16, 3, RES, RES, device=dev)
        ts = torch.linspace(T, 1, 6).long().tolist()
        for a, b in zip(ts[:-1], ts[1:]):  # DDIM
            e = net(x, torch.full((16,), a, device=dev)).float()
            x0 = ((x - (1 - abar[a]).sqrt() * e) / abar[a].sqrt()).clamp(-1, 1)
            x = abar[b].sqrt() * x0 + (1 - abar[b]).sqrt() * e
    print("sample std", x.std().item(), "peak GiB", torch.cuda.max_memory_allocated() / 2**30)


if __name__ == "__main__":
    main()
