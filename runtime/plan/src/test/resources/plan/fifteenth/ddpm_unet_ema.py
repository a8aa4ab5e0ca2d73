import copy
import math
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

# ---- hyper parameters -------------------------------------------------------
IMAGE_SIZE = 64
CHANNELS = 96
MULTS = (1, 2, 2, 4)
BATCH_SIZE = 16
T = 1000
TRAIN_STEPS = 5
DDIM_STEPS = 8
device = "cuda"


def sinusoidal(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([args.sin(), args.cos()], dim=-1)


class ResnetBlock(nn.Module):
    def __init__(self, cin, cout, temb, dropout=0.1):
        super().__init__()
        self.norm1, self.conv1 = nn.GroupNorm(8, cin), nn.Conv2d(cin, cout, 3, padding=1)
        self.norm2, self.conv2 = nn.GroupNorm(8, cout), nn.Conv2d(cout, cout, 3, padding=1)
        self.temb = nn.Linear(temb, cout)
        self.drop = nn.Dropout(dropout)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, t):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.temb(F.silu(t))[:, :, None, None]
        return self.skip(x) + self.conv2(self.drop(F.silu(self.norm2(h))))


class AttnBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm, self.qkv, self.proj = nn.GroupNorm(8, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

    def forward(self, x, t=None):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, 3, c, h * w).unbind(1)
        attn = torch.softmax(torch.bmm(q.transpose(1, 2), k) * c ** -0.5, dim=-1)
        return x + self.proj(torch.bmm(v, attn.transpose(1, 2)).view(b, c, h, w))


class Unet(nn.Module):
    def __init__(self):
        super().__init__()
        temb = CHANNELS * 4
        self.time = nn.Sequential(nn.Linear(CHANNELS, temb), nn.SiLU(), nn.Linear(temb, temb))
        self.inp = nn.Conv2d(3, CHANNELS, 3, padding=1)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        chans, c = [CHANNELS], CHANNELS
        for i, m in enumerate(MULTS):
            for _ in range(2):
                self.down.append(nn.ModuleList([ResnetBlock(c, CHANNELS * m, temb), AttnBlock(CHANNELS * m) if i == 2 else nn.Identity()]))
                c = CHANNELS * m
                chans.append(c)
            if i < len(MULTS) - 1:
                self.down.append(nn.Conv2d(c, c, 3, stride=2, padding=1))
                chans.append(c)
        self.mid = nn.ModuleList([ResnetBlock(c, c, temb), AttnBlock(c), ResnetBlock(c, c, temb)])
        for i, m in reversed(list(enumerate(MULTS))):
            for _ in range(3):
                self.up.append(nn.ModuleList([ResnetBlock(c + chans.pop(), CHANNELS * m, temb), AttnBlock(CHANNELS * m) if i == 2 else nn.Identity()]))
                c = CHANNELS * m
            if i > 0:
                self.up.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)))
        self.out = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t):
        t = self.time(sinusoidal(t, CHANNELS))
        h = self.inp(x)
        hs = [h]
        for m in self.down:
            h = m[1](m[0](h, t)) if isinstance(m, nn.ModuleList) else m(h)
            hs.append(h)
        for m in self.mid:
            h = m(h, t)
        for m in self.up:
            h = m[1](m[0](torch.cat([h, hs.pop()], 1), t)) if isinstance(m, nn.ModuleList) else m(h)
        return self.out(h)


betas = torch.linspace(1e-4, 0.02, T, device=device)
alphas_bar = torch.cumprod(1 - betas, 0)


@torch.no_grad()
def update_ema(ema, model, decay=0.995):
    for pe, p in zip(ema.parameters(), model.parameters()):
        pe.lerp_(p, 1 - decay)


@torch.no_grad()
def ddim_sample(model, n):
    x = torch.randn(n, 3, IMAGE_SIZE, IMAGE_SIZE, device=device)
    ts = torch.linspace(T - 1, 0, DDIM_STEPS + 1).long().tolist()
    for t, t_next in zip(ts, ts[1:]):
        eps = model(x, torch.full((n,), t, device=device))
        a, an = alphas_bar[t], alphas_bar[t_next]
        x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-1, 1)
        x = an.sqrt() * x0 + (1 - an).sqrt() * eps
    return x


def main():
    torch.manual_seed(123)
    model = Unet().to(device)
    ema = copy.deepcopy(model).eval().requires_grad_(False)
    opt = torch.optim.Adam(model.parameters(), lr=2e-4, betas=(0.9, 0.99))
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")
    for step in range(TRAIN_STEPS):
        x0 = torch.rand(BATCH_SIZE, 3, IMAGE_SIZE, IMAGE_SIZE, device=device) * 2 - 1
        t = torch.randint(0, T, (BATCH_SIZE,), device=device)
        noise = torch.randn_like(x0)
        a = alphas_bar[t][:, None, None, None]
        loss = F.mse_loss(model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t), noise)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        update_ema(ema, model)
        print(f"step {step} loss {loss.item():.4f}")
    samples = ddim_sample(ema, BATCH_SIZE)
    with tempfile.TemporaryDirectory() as d:
        torch.save({"ema": ema.state_dict(), "samples": samples.cpu()}, os.path.join(d, "ddpm.pt"))
    print(f"samples std {samples.std().item():.3f}; peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
