"""Class-conditional DDPM on 32x32 images. U-Net with attention, EMA weights, DDIM sampling with guidance."""
import math
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

T = 1000
BASE = 96
MULT = (1, 2, 2)
CLASSES = 10
BATCH = 64
STEPS = 6
SAMPLES = 32
DDIM_STEPS = 10
GUIDANCE = 2.0


def time_embedding(t, dim):
    freq = torch.exp(-math.log(10000) * torch.arange(dim // 2, device=t.device) / (dim // 2))
    ang = t[:, None].float() * freq[None]
    return torch.cat([ang.sin(), ang.cos()], 1)


class Res(nn.Module):
    def __init__(self, ci, co, emb):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(16, ci), nn.Conv2d(ci, co, 3, padding=1)
        self.n2, self.c2 = nn.GroupNorm(16, co), nn.Conv2d(co, co, 3, padding=1)
        self.e = nn.Linear(emb, 2 * co)
        self.skip = nn.Conv2d(ci, co, 1) if ci != co else nn.Identity()
        nn.init.zeros_(self.c2.weight)

    def forward(self, x, emb):
        h = self.c1(F.silu(self.n1(x)))
        scale, shift = self.e(F.silu(emb))[:, :, None, None].chunk(2, 1)
        h = self.n2(h) * (1 + scale) + shift
        return self.skip(x) + self.c2(F.dropout(F.silu(h), 0.1, self.training))


class Attn(nn.Module):
    def __init__(self, c, heads=4):
        super().__init__()
        self.n, self.qkv, self.o, self.h = nn.GroupNorm(16, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1), heads

    def forward(self, x):
        b, c, hh, ww = x.shape
        q, k, v = self.qkv(self.n(x)).view(b, 3, self.h, c // self.h, hh * ww).transpose(-1, -2).unbind(1)
        a = F.scaled_dot_product_attention(q, k, v)
        return x + self.o(a.transpose(-1, -2).reshape(b, c, hh, ww))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        emb = BASE * 4
        self.temb = nn.Sequential(nn.Linear(BASE, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.cemb = nn.Embedding(CLASSES + 1, emb)
        self.inp = nn.Conv2d(3, BASE, 3, padding=1)
        self.down, self.up, chans, c = nn.ModuleList(), nn.ModuleList(), [BASE], BASE
        for i, m in enumerate(MULT):
            for _ in range(2):
                self.down.append(nn.ModuleList([Res(c, BASE * m, emb), Attn(BASE * m) if i == 1 else nn.Identity()]))
                c = BASE * m
                chans.append(c)
            if i < len(MULT) - 1:
                self.down.append(nn.ModuleList([nn.Conv2d(c, c, 3, 2, 1)]))
                chans.append(c)
        self.mid1, self.mida, self.mid2 = Res(c, c, emb), Attn(c), Res(c, c, emb)
        for i, m in reversed(list(enumerate(MULT))):
            for _ in range(3):
                self.up.append(nn.ModuleList([Res(c + chans.pop(), BASE * m, emb),
                                              Attn(BASE * m) if i == 1 else nn.Identity()]))
                c = BASE * m
            if i:
                self.up.append(nn.ModuleList([nn.Conv2d(c, c, 3, padding=1)]))
        self.out = nn.Sequential(nn.GroupNorm(16, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t, y):
        e = self.temb(time_embedding(t, BASE)) + self.cemb(y)
        h = self.inp(x)
        hs = [h]
        for blk in self.down:
            h = blk[1](blk[0](h, e)) if len(blk) == 2 else blk[0](h)
            hs.append(h)
        h = self.mid2(self.mida(self.mid1(h, e)), e)
        for blk in self.up:
            if len(blk) == 2:
                h = blk[1](blk[0](torch.cat([h, hs.pop()], 1), e))
            else:
                h = blk[0](F.interpolate(h, scale_factor=2.0, mode="nearest"))
        return self.out(h)


def cosine_alpha_bar(device):
    s = torch.linspace(0, 1, T + 1, device=device, dtype=torch.float64)
    f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
    return (f / f[0])[1:].clamp(1e-5, 0.99999).float()


@torch.no_grad()
def ddim(net, abar, n, device):
    x = torch.randn(n, 3, 32, 32, device=device)
    y = torch.arange(n, device=device) % CLASSES
    null = torch.full_like(y, CLASSES)
    ts = torch.linspace(T - 1, 0, DDIM_STEPS, device=device).long()
    for i, t in enumerate(ts):
        tt = t.expand(2 * n)
        cond, unc = net(torch.cat([x, x]), tt, torch.cat([y, null])).chunk(2)
        eps = unc + GUIDANCE * (cond - unc)
        x0 = ((x - (1 - abar[t]).sqrt() * eps) / abar[t].sqrt()).clamp(-1, 1)
        nxt = abar[ts[i + 1]] if i + 1 < len(ts) else torch.ones((), device=device)
        x = nxt.sqrt() * x0 + (1 - nxt).sqrt() * eps
    return x


def main():
    torch.manual_seed(1000)
    device = "cuda"
    net = UNet().to(device)
    ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.995))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-4, weight_decay=0.0)
    abar = cosine_alpha_bar(device)
    for step in range(STEPS):
        x0 = torch.rand(BATCH, 3, 32, 32, device=device) * 2 - 1
        y = torch.randint(0, CLASSES, (BATCH,), device=device)
        y[torch.rand(BATCH, device=device) < 0.1] = CLASSES
        t = torch.randint(0, T, (BATCH,), device=device)
        noise = torch.randn_like(x0)
        a = abar[t][:, None, None, None]
        loss = F.mse_loss(net(a.sqrt() * x0 + (1 - a).sqrt() * noise, t, y), noise)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        ema.update_parameters(net)
        print(f"step {step} loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    ema.eval()
    img = ddim(ema, abar, SAMPLES, device)
    with tempfile.TemporaryDirectory() as d:
        torch.save({"ema": ema.module.state_dict(), "samples": img.cpu()}, os.path.join(d, "ckpt.pt"))
    print("samples", tuple(img.shape), f"std {img.std().item():.3f}")


if __name__ == "__main__":
    main()
