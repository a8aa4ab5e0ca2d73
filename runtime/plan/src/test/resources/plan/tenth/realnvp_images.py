"""RealNVP / Glow-lite on 32x32 images: actnorm, invertible 1x1 convs, affine couplings, multi-scale squeeze."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


class ActNorm(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(1, c, 1, 1))
        self.log_scale = nn.Parameter(torch.zeros(1, c, 1, 1))
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.loc.copy_(-x.mean((0, 2, 3), keepdim=True))
                self.log_scale.copy_(-torch.log(x.std((0, 2, 3), keepdim=True) + 1e-6))
                self.ready.fill_(True)
        h, w = x.shape[2:]
        return (x + self.loc) * self.log_scale.exp(), h * w * self.log_scale.sum()

    def inverse(self, y):
        return y * (-self.log_scale).exp() - self.loc


class InvConv(nn.Module):
    def __init__(self, c):
        super().__init__()
        q, _ = torch.linalg.qr(torch.randn(c, c))
        self.w = nn.Parameter(q)

    def forward(self, x):
        h, w = x.shape[2:]
        return F.conv2d(x, self.w[:, :, None, None]), h * w * torch.slogdet(self.w)[1]

    def inverse(self, y):
        return F.conv2d(y, torch.inverse(self.w)[:, :, None, None])


class Coupling(nn.Module):
    def __init__(self, c, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(c // 2, hidden, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(hidden, hidden, 1), nn.ReLU(inplace=True),
            nn.Conv2d(hidden, c, 3, padding=1))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def _st(self, xa):
        s, t = self.net(xa).chunk(2, 1)
        return torch.tanh(s), t

    def forward(self, x):
        xa, xb = x.chunk(2, 1)
        s, t = self._st(xa)
        return torch.cat([xa, xb * s.exp() + t], 1), s.flatten(1).sum(1)

    def inverse(self, y):
        ya, yb = y.chunk(2, 1)
        s, t = self._st(ya)
        return torch.cat([ya, (yb - t) * (-s).exp()], 1)


class Flow(nn.Module):
    def __init__(self, levels=2, depth=8, hidden=256):
        super().__init__()
        self.levels = nn.ModuleList()
        c = 3
        for _ in range(levels):
            c *= 4
            self.levels.append(nn.ModuleList(
                m for _ in range(depth) for m in (ActNorm(c), InvConv(c), Coupling(c, hidden))))

    def forward(self, x):
        logdet = torch.zeros(x.size(0), device=x.device)
        for level in self.levels:
            x = F.pixel_unshuffle(x, 2)
            for m in level:
                x, ld = m(x)
                logdet = logdet + ld
        return x, logdet

    @torch.no_grad()
    def sample(self, z):
        for level in reversed(self.levels):
            for m in reversed(level):
                z = m.inverse(z)
            z = F.pixel_shuffle(z, 2)
        return z


torch.manual_seed(0)
flow = Flow().to(device)
opt = torch.optim.Adamax(flow.parameters(), lr=1e-3)
warmup = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=3)
dims = 3 * 32 * 32
for it in range(4):
    img = torch.randint(0, 256, (128, 3, 32, 32), device=device)
    x = (img + torch.rand(img.shape, device=device)) / 256 - 0.5   # dequantize
    z, logdet = flow(x)
    logp = -0.5 * (z ** 2 + math.log(2 * math.pi)).flatten(1).sum(1)
    bpd = (-(logp + logdet) / dims + math.log(256)).div(math.log(2)).mean()
    opt.zero_grad()
    bpd.backward()
    nn.utils.clip_grad_value_(flow.parameters(), 5.0)
    opt.step()
    warmup.step()
    print(f"iter {it} bits/dim {bpd.item():.3f}")

flow.eval()
s = flow.sample(0.7 * torch.randn_like(z[:64]))
print("sample range", s.min().item(), s.max().item())
