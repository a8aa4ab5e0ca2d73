"""DDPM on 64x64 images: attention U-Net, EMA of the weights, ancestral (strided) sampling."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

IMG, CH, MULTS = 64, 96, (1, 2, 2, 4)
BATCH, STEPS, ACCUM = 16, 4, 2
T = 1000
SAMPLE_STEPS, N_SAMPLES = 12, 16
device = torch.device("cuda")


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    args = t[:, None].float() * freqs
    return torch.cat([args.cos(), args.sin()], -1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, temb):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(32, cin), nn.Conv2d(cin, cout, 3, padding=1)
        self.emb = nn.Linear(temb, cout)
        self.n2, self.c2 = nn.GroupNorm(32, cout), nn.Conv2d(cout, cout, 3, padding=1)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, t):
        h = self.c1(F.silu(self.n1(x))) + self.emb(F.silu(t))[:, :, None, None]
        return self.skip(x) + self.c2(F.dropout(F.silu(self.n2(h)), 0.1, self.training))


class Attention(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.heads, self.norm = heads, nn.GroupNorm(32, c)
        self.qkv, self.proj = nn.Conv1d(c, 3 * c, 1), nn.Conv1d(c, c, 1)

    def forward(self, x, t=None):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x).flatten(2)).view(b, 3, self.heads, c // self.heads, h * w).transpose(-1, -2).unbind(1)
        o = F.scaled_dot_product_attention(q, k, v)
        return x + self.proj(o.transpose(-1, -2).reshape(b, c, h * w)).view(b, c, h, w)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        temb = CH * 4
        self.time = nn.Sequential(nn.Linear(CH, temb), nn.SiLU(), nn.Linear(temb, temb))
        self.inp = nn.Conv2d(3, CH, 3, padding=1)
        self.down, self.up, chans, c = nn.ModuleList(), nn.ModuleList(), [CH], CH
        for i, m in enumerate(MULTS):
            for _ in range(2):
                blk = [ResBlock(c, CH * m, temb)]
                c = CH * m
                if i == 2:
                    blk.append(Attention(c))
                self.down.append(nn.ModuleList(blk))
                chans.append(c)
            if i < len(MULTS) - 1:
                self.down.append(nn.ModuleList([nn.Conv2d(c, c, 3, 2, 1)]))
                chans.append(c)
        self.mid = nn.ModuleList([ResBlock(c, c, temb), Attention(c), ResBlock(c, c, temb)])
        for i, m in reversed(list(enumerate(MULTS))):
            for j in range(3):
                blk = [ResBlock(c + chans.pop(), CH * m, temb)]
                c = CH * m
                if i == 2:
                    blk.append(Attention(c))
                if i and j == 2:
                    blk.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)))
                self.up.append(nn.ModuleList(blk))
        self.out = nn.Sequential(nn.GroupNorm(32, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    @staticmethod
    def apply_all(blk, x, t):
        for m in blk:
            x = m(x, t) if isinstance(m, (ResBlock, Attention)) else m(x)
        return x

    def forward(self, x, t):
        t = self.time(timestep_embedding(t, CH))
        hs = [self.inp(x)]
        for blk in self.down:
            hs.append(self.apply_all(blk, hs[-1], t))
        x = self.apply_all(self.mid, hs[-1], t)
        for blk in self.up:
            x = self.apply_all(blk, torch.cat([x, hs.pop()], 1), t)
        return self.out(x)


def main():
    torch.manual_seed(0)
    betas = torch.linspace(1e-4, 0.02, T, device=device)
    abar = torch.cumprod(1 - betas, 0)
    model = UNet().to(device)
    ema = copy.deepcopy(model).eval().requires_grad_(False)
    opt = torch.optim.Adam(model.parameters(), lr=2e-4)
    print("params %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))
    for step in range(STEPS):
        for _ in range(ACCUM):
            x0 = torch.tanh(F.interpolate(torch.randn(BATCH, 3, 8, 8, device=device), size=IMG, mode="bilinear"))
            t = torch.randint(0, T, (BATCH,), device=device)
            eps = torch.randn_like(x0)
            a = abar[t].view(-1, 1, 1, 1)
            loss = F.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t), eps) / ACCUM
            loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            for e, p in zip(ema.parameters(), model.parameters()):
                e.mul_(0.995).add_(p, alpha=0.005)
        print(f"step {step} loss {loss.item() * ACCUM:.4f}")
    print("train peak MiB", torch.cuda.max_memory_allocated() // 2**20)

    with torch.no_grad():
        x = torch.randn(N_SAMPLES, 3, IMG, IMG, device=device)
        ts = torch.linspace(T - 1, 0, SAMPLE_STEPS).long().tolist()
        for i, t in enumerate(ts):
            e = ema(x, torch.full((N_SAMPLES,), t, device=device))
            a, ap = abar[t], abar[ts[i + 1]] if i + 1 < len(ts) else torch.ones((), device=device)
            x0 = ((x - (1 - a).sqrt() * e) / a.sqrt()).clamp(-1, 1)
            x = ap.sqrt() * x0 + (1 - ap).sqrt() * e
    print("samples", tuple(x.shape), f"std {x.std().item():.3f}", "peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
