# limit: 1.75
"""Small pixel diffusion model with an attention block at full resolution."""
import torch
from torch import nn


class PixelAttention(nn.Module):
    def __init__(self, ch, heads=4):
        super().__init__()
        self.norm = nn.GroupNorm(8, ch)
        self.qkv = nn.Conv2d(ch, ch * 3, 1)
        self.proj = nn.Conv2d(ch, ch, 1)
        self.heads = heads

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(b, 3, self.heads, c // self.heads, h * w).unbind(1)
        scores = torch.einsum("bhcn,bhcm->bhnm", q, k) * (c // self.heads) ** -0.5
        attn = scores.softmax(-1)
        out = torch.einsum("bhnm,bhcm->bhcn", attn, v).reshape(b, c, h, w)
        return x + self.proj(out)


class Denoiser(nn.Module):
    def __init__(self, ch=64):
        super().__init__()
        self.inp = nn.Conv2d(4, ch, 3, padding=1)
        self.res = nn.Sequential(nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, ch, 3, padding=1))
        self.attn = PixelAttention(ch)
        self.out = nn.Conv2d(ch, 3, 3, padding=1)

    def forward(self, x, t):
        t = t.view(-1, 1, 1, 1).expand(-1, 1, *x.shape[2:])
        h = self.inp(torch.cat([x, t], 1))
        return self.out(self.attn(h + self.res(h)))


def loss_fn(model, x0):
    t = torch.rand(len(x0), device=x0.device)
    noise = torch.randn_like(x0)
    a = torch.cos(t * 1.57).view(-1, 1, 1, 1)
    xt = a * x0 + (1 - a ** 2).sqrt() * noise
    return (model(xt, t) - noise).pow(2).mean()


torch.manual_seed(13)
model = Denoiser().to("cuda")
opt = torch.optim.AdamW(model.parameters(), lr=2e-4)
for size in (16, 32, 64):
    for step in range(10):
        x0 = torch.randn(4, 3, size, size, device="cuda")
        loss = loss_fn(model, x0)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"size {size}: loss {loss.item():.4f}")
