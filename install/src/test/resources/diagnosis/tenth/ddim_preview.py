# limit: 2.5
"""Samples 64 latents with a toy denoiser and writes a preview strip."""
import torch
import torch.nn as nn


class Denoiser(nn.Module):
    """Works on channels-last latents, pixel by pixel."""

    def __init__(self, ch=4, width=64):
        super().__init__()
        self.inp = nn.Linear(ch, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
        self.time = nn.Linear(1, width)
        self.out = nn.Linear(width, ch)

    def forward(self, x, t):
        h = self.inp(x) + self.time(t.view(-1, 1))[:, None, None, :]
        return self.out(h + self.mid(h))


class Sampler:
    def __init__(self, net, steps=250):
        self.net, self.steps = net, steps
        self.alphas = torch.linspace(0.999, 0.01, steps, device="cuda").cumprod(0).clamp_min(1e-4)

    @torch.no_grad()
    def sample(self, n, size):
        x = torch.randn(n, size, size, 4, device="cuda")
        frames = [x]
        for i in reversed(range(self.steps)):
            a = self.alphas[i]
            prev = self.alphas[i - 1] if i > 0 else torch.ones((), device="cuda")
            t = torch.full((n,), i / self.steps, device="cuda")
            eps = self.net(x, t)
            x0 = (x - (1 - a).sqrt() * eps) / a.sqrt()
            x = prev.sqrt() * x0.clamp(-3, 3) + (1 - prev).sqrt() * eps
            frames.append(x0)
        return x, frames


net = Denoiser().cuda().eval()
images, frames = Sampler(net).sample(64, 96)
strip = torch.cat([f[0] for f in frames[::25]], dim=1).cpu()
print(images.shape, strip.shape)
