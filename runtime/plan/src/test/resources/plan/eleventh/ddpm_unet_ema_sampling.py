"""Denoising diffusion: small attention U-Net, v-prediction, min-SNR weights, EMA by foreach, DDIM sampling with CFG."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

IMG, CH, BATCH, STEPS, T = 48, 96, 32, 5, 1000
N_CLS, P_UNCOND, DDIM_STEPS, CFG_SCALE = 10, 0.1, 8, 3.0
device = "cuda"


def timestep_embedding(t, dim):
    f = torch.exp(-math.log(1e4) * torch.arange(dim // 2, device=t.device) / (dim // 2))
    ang = t[:, None].float() * f[None]
    return torch.cat([ang.sin(), ang.cos()], -1)


class ResBlock(nn.Module):
    def __init__(self, ci, co, emb):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(16, ci), nn.Conv2d(ci, co, 3, padding=1)
        self.n2, self.c2 = nn.GroupNorm(16, co), nn.Conv2d(co, co, 3, padding=1)
        self.emb = nn.Linear(emb, 2 * co)
        self.skip = nn.Conv2d(ci, co, 1) if ci != co else nn.Identity()
        nn.init.zeros_(self.c2.weight)

    def forward(self, x, e):
        h = self.c1(F.silu(self.n1(x)))
        scale, shift = self.emb(F.silu(e))[:, :, None, None].chunk(2, 1)
        h = self.c2(F.silu(self.n2(h) * (1 + scale) + shift))
        return self.skip(x) + h


class SelfAttention(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.n, self.qkv, self.o, self.h = nn.GroupNorm(16, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1), heads

    def forward(self, x):
        B, C, H, W = x.shape
        q, k, v = self.qkv(self.n(x)).view(B, 3, self.h, C // self.h, H * W).transpose(-1, -2).unbind(1)
        y = F.scaled_dot_product_attention(q, k, v)
        return x + self.o(y.transpose(-1, -2).reshape(B, C, H, W))


class UNet(nn.Module):
    def __init__(self, ch=CH, mult=(1, 2, 3)):
        super().__init__()
        e = ch * 4
        self.temb = nn.Sequential(nn.Linear(ch, e), nn.SiLU(), nn.Linear(e, e))
        self.cemb = nn.Embedding(N_CLS + 1, e)
        self.inp = nn.Conv2d(3, ch, 3, padding=1)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        c, skips = ch, [ch]
        for i, m in enumerate(mult):
            for _ in range(2):
                self.down.append(nn.ModuleList([ResBlock(c, ch * m, e), SelfAttention(ch * m) if i else nn.Identity()]))
                c = ch * m
                skips.append(c)
            if i < len(mult) - 1:
                self.down.append(nn.ModuleList([nn.Conv2d(c, c, 3, 2, 1)]))
                skips.append(c)
        self.mid = nn.ModuleList([ResBlock(c, c, e), SelfAttention(c), ResBlock(c, c, e)])
        for i, m in reversed(list(enumerate(mult))):
            for j in range(3):
                self.up.append(nn.ModuleList([ResBlock(c + skips.pop(), ch * m, e), SelfAttention(ch * m) if i else nn.Identity(),
                                              nn.Upsample(scale_factor=2) if (j == 2 and i) else nn.Identity()]))
                c = ch * m
        self.out = nn.Sequential(nn.GroupNorm(16, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))
        self.ch = ch

    def forward(self, x, t, y):
        e = self.temb(timestep_embedding(t, self.ch)) + self.cemb(y)
        h = self.inp(x)
        hs = [h]
        for layer in self.down:
            h = layer[1](layer[0](h, e)) if len(layer) == 2 else layer[0](h)
            hs.append(h)
        h = self.mid[2](self.mid[1](self.mid[0](h, e)), e)
        for res, attn, up in self.up:
            h = up(attn(res(torch.cat([h, hs.pop()], 1), e)))
        return self.out(h)


torch.manual_seed(123)
betas = torch.linspace(1e-4, 0.02, T, device=device)
abar = torch.cumprod(1 - betas, 0)
net = UNet().to(device)
ema = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.AdamW(net.parameters(), lr=2e-4, weight_decay=0.0, foreach=True)
print("params %.1fM" % (sum(p.numel() for p in net.parameters()) / 1e6))
for step in range(STEPS):
    y = torch.randint(0, N_CLS, (BATCH,), device=device)
    x0 = (torch.rand(BATCH, 3, 1, 1, device=device) * 2 - 1) * torch.ones(1, 3, IMG, IMG, device=device)
    x0 = (x0 + 0.1 * y.view(-1, 1, 1, 1)).clamp(-1, 1)
    y = torch.where(torch.rand(BATCH, device=device) < P_UNCOND, torch.full_like(y, N_CLS), y)
    t = torch.randint(0, T, (BATCH,), device=device)
    a, noise = abar[t].view(-1, 1, 1, 1), torch.randn_like(x0)
    v = a.sqrt() * noise - (1 - a).sqrt() * x0
    pred = net(a.sqrt() * x0 + (1 - a).sqrt() * noise, t, y)
    snr = abar[t] / (1 - abar[t])
    loss = ((pred - v).pow(2).mean((1, 2, 3)) * snr.clamp(max=5.0) / (snr + 1)).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    with torch.no_grad():
        torch._foreach_lerp_(list(ema.parameters()), list(net.parameters()), 0.01)
    print(f"step {step} loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

with torch.inference_mode():
    x = torch.randn(16, 3, IMG, IMG, device=device)
    y = torch.arange(16, device=device) % N_CLS
    ts = torch.linspace(T - 1, 0, DDIM_STEPS + 1).long().tolist()
    for now, nxt in zip(ts[:-1], ts[1:]):
        tt = torch.full((32,), now, device=device)
        vc, vu = ema(torch.cat([x, x]), tt, torch.cat([y, torch.full_like(y, N_CLS)])).chunk(2)
        v = vu + CFG_SCALE * (vc - vu)
        x0 = (abar[now].sqrt() * x - (1 - abar[now]).sqrt() * v).clamp(-1, 1)
        eps = (x - abar[now].sqrt() * x0) / (1 - abar[now]).sqrt()
        x = abar[nxt].sqrt() * x0 + (1 - abar[nxt]).sqrt() * eps
print("samples", tuple(x.shape), float(x.mean()), float(x.std()))
