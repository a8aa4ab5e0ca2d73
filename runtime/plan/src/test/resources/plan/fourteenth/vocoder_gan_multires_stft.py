"""HiFi-GAN flavoured vocoder: weight-normed upsampler, multi-period and multi-resolution STFT discriminators."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import weight_norm

torch.manual_seed(64)
torch.backends.cudnn.benchmark = True
dev = "cuda"
BATCH = 12
FRAMES = 48
HOP = 256
MELS = 64
CH = 256
STEPS = 4
SR = 22050


def mel_filters(n_fft):
    hz = torch.linspace(0, SR / 2, n_fft // 2 + 1)
    def mel(f): return 2595 * torch.log10(1 + f / 700)
    pts = torch.linspace(0, mel(torch.tensor(SR / 2.0)).item(), MELS + 2)
    pts = 700 * (10 ** (pts / 2595) - 1)
    up = (hz[None] - pts[:-2, None]) / (pts[1:-1] - pts[:-2])[:, None]
    down = (pts[2:, None] - hz[None]) / (pts[2:] - pts[1:-1])[:, None]
    return torch.minimum(up, down).clamp_min(0).to(dev)


FB = mel_filters(1024)
WIN = {n: torch.hann_window(n, device=dev) for n in (256, 512, 1024)}


def spec(w, n):
    return torch.stft(w, n, n // 4, window=WIN[n], return_complex=True)


def logmel(w):
    return torch.log((FB @ spec(w, 1024).abs()).clamp_min(1e-5))[..., :FRAMES]


class MRF(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.b = nn.ModuleList(nn.ModuleList(weight_norm(nn.Conv1d(c, c, k, dilation=d, padding=d * (k - 1) // 2)) for d in (1, 3, 5)) for k in (3, 7))

    def forward(self, x):
        outs = []
        for branch in self.b:
            h = x
            for conv in branch:
                h = h + conv(F.leaky_relu(h, 0.1))
            outs.append(h)
        return sum(outs) / len(outs)


class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.pre = weight_norm(nn.Conv1d(MELS, CH, 7, padding=3))
        self.ups, self.mrf, c = nn.ModuleList(), nn.ModuleList(), CH
        for r in (8, 8, 2, 2):
            self.ups.append(weight_norm(nn.ConvTranspose1d(c, c // 2, 2 * r, r, r // 2)))
            self.mrf.append(MRF(c // 2))
            c //= 2
        self.post = weight_norm(nn.Conv1d(c, 1, 7, padding=3))

    def forward(self, m):
        x = self.pre(m)
        for u, r in zip(self.ups, self.mrf):
            x = r(u(F.leaky_relu(x, 0.1)))
        return torch.tanh(self.post(F.leaky_relu(x)))[:, 0]


class PeriodD(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
        ch = [1, 32, 96, 192, 256]
        self.c = nn.ModuleList(weight_norm(nn.Conv2d(a, b, (5, 1), (3, 1), (2, 0))) for a, b in zip(ch[:-1], ch[1:]))
        self.o = weight_norm(nn.Conv2d(256, 1, (3, 1), padding=(1, 0)))

    def forward(self, w):
        w = F.pad(w, (0, (-w.shape[-1]) % self.p), "reflect")
        x, feats = w.view(len(w), 1, -1, self.p), []
        for c in self.c:
            x = F.leaky_relu(c(x), 0.1)
            feats.append(x)
        return self.o(x), feats


class SpecD(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.c = nn.ModuleList(weight_norm(nn.Conv2d(a, 32, 3, (2, 1), 1)) for a in (2, 32, 32))
        self.o = weight_norm(nn.Conv2d(32, 1, 3, padding=1))

    def forward(self, w):
        x, feats = torch.view_as_real(spec(w, self.n)).permute(0, 3, 1, 2), []
        for c in self.c:
            x = F.leaky_relu(c(x), 0.1)
            feats.append(x)
        return self.o(x), feats


def stft_loss(a, b):
    tot = 0.0
    for n in WIN:
        A, B = spec(a, n).abs().clamp_min(1e-5), spec(b, n).abs().clamp_min(1e-5)
        tot = tot + (A - B).norm() / B.norm() + (A.log() - B.log()).abs().mean()
    return tot / len(WIN)


def voices(n):
    t = torch.arange(FRAMES * HOP, device=dev) / SR
    f0 = 90 + 200 * torch.rand(n, 1, device=dev)
    ph = 2 * math.pi * (f0 * t + 3 * torch.sin(2 * math.pi * 5 * t))
    return sum(torch.sin(k * ph) / k for k in range(1, 9)) * 0.25 + 0.01 * torch.randn(n, len(t), device=dev)


G = Gen().to(dev)
Ds = nn.ModuleList([PeriodD(p) for p in (2, 3, 5, 7)] + [SpecD(n) for n in WIN]).to(dev)
og, od = (torch.optim.AdamW(m.parameters(), 2e-4, betas=(0.8, 0.99)) for m in (G, Ds))
for step in range(STEPS):
    w = voices(BATCH)
    fake = G(logmel(w))
    ld = sum((d(w)[0] - 1).pow(2).mean() + d(fake.detach())[0].pow(2).mean() for d in Ds)
    od.zero_grad()
    ld.backward()
    od.step()
    adv = fm = 0.0
    for d in Ds:
        o, ff = d(fake)
        with torch.no_grad():
            _, fr = d(w)
        adv = adv + (o - 1).pow(2).mean()
        fm = fm + sum((a - b).abs().mean() for a, b in zip(ff, fr))
    lm, ls = (logmel(fake) - logmel(w)).abs().mean(), stft_loss(fake, w)
    lg = adv + 2 * fm + 15 * lm + ls
    og.zero_grad()
    lg.backward()
    og.step()
    print(f"{step} D {ld.item():.3f} adv {adv.item():.3f} fm {fm.item():.3f} mel {lm.item():.3f} stft {ls.item():.3f}")
print("peak GiB", torch.cuda.max_memory_allocated() / 2**30)
