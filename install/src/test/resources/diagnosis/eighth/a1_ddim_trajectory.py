# limit: 4
"""Sample from a small DDPM and record the trajectory for an animation."""
import math
import torch
import torch.nn as nn


class ResBlock(nn.Module):
    def __init__(self, c, tdim):
        super().__init__()
        self.n1 = nn.GroupNorm(8, c)
        self.c1 = nn.Conv2d(c, c, 3, padding=1)
        self.t = nn.Linear(tdim, c)
        self.n2 = nn.GroupNorm(8, c)
        self.c2 = nn.Conv2d(c, c, 3, padding=1)

    def forward(self, x, t):
        h = self.c1(torch.nn.functional.silu(self.n1(x)))
        h = h + self.t(t)[:, :, None, None]
        return x + self.c2(torch.nn.functional.silu(self.n2(h)))


class Denoiser(nn.Module):
    def __init__(self, c=64, tdim=128, depth=4):
        super().__init__()
        self.tdim = tdim
        self.inp = nn.Conv2d(3, c, 3, padding=1)
        self.blocks = nn.ModuleList(ResBlock(c, tdim) for _ in range(depth))
        self.out = nn.Conv2d(c, 3, 3, padding=1)

    def forward(self, x, t):
        half = self.tdim // 2
        f = torch.exp(-math.log(10000) * torch.arange(half, device=x.device) / half)
        e = t[:, None].float() * f[None]
        e = torch.cat([e.sin(), e.cos()], dim=1)
        x = self.inp(x)
        for b in self.blocks:
            x = b(x, e)
        return self.out(x)


class Sampler:
    def __init__(self, net, steps=400):
        self.net = net
        self.steps = steps
        self.abar = torch.cumprod(1 - torch.linspace(1e-4, 0.02, steps), 0).to("cuda")
        self.frames = []
        self.x0_frames = []

    @torch.no_grad()
    def sample(self, shape):
        x = torch.randn(shape, device="cuda")
        for i in reversed(range(1, self.steps)):
            t = torch.full((shape[0],), i, device="cuda")
            eps = self.net(x, t)
            a, ap = self.abar[i], self.abar[i - 1]
            x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-1, 1)
            x = ap.sqrt() * x0 + (1 - ap).sqrt() * eps
            self.frames.append(x)
            self.x0_frames.append(x0)
        return x


torch.manual_seed(1)
sampler = Sampler(Denoiser().to("cuda").eval())
final = sampler.sample((64, 3, 128, 128))
video = torch.stack([f[:8].cpu() for f in sampler.frames[::10]])
print(final.mean().item(), video.shape)
