"""Latent DiT trained with rectified flow in pure bf16; stochastic-free AdamW with fp32 master copies."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Cfg:
    latent: int = 32
    channels: int = 4
    patch: int = 2
    dim: int = 768
    depth: int = 8
    heads: int = 12
    classes: int = 1000
    batch: int = 24
    steps: int = 5
    sample_steps: int = 8
    cfg_scale: float = 3.0
    lr: float = 1e-4


def modulate(x, shift, scale):
    return x * (1 + scale[:, None]) + shift[:, None]


class DiTBlock(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.n1 = nn.LayerNorm(d, elementwise_affine=False, eps=1e-6)
        self.n2 = nn.LayerNorm(d, elementwise_affine=False, eps=1e-6)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(approximate="tanh"), nn.Linear(4 * d, d))
        self.ada = nn.Sequential(nn.SiLU(), nn.Linear(d, 6 * d))
        nn.init.zeros_(self.ada[1].weight)
        nn.init.zeros_(self.ada[1].bias)

    def forward(self, x, c):
        s1, c1, g1, s2, c2, g2 = self.ada(c).chunk(6, -1)
        b, n, d = x.shape
        q, k, v = self.qkv(modulate(self.n1(x), s1, c1)).view(b, n, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
        x = x + g1[:, None] * self.proj(y)
        return x + g2[:, None] * self.mlp(modulate(self.n2(x), s2, c2))


class DiT(nn.Module):
    def __init__(self, c: Cfg):
        super().__init__()
        self.c = c
        n = (c.latent // c.patch) ** 2
        self.embed = nn.Conv2d(c.channels, c.dim, c.patch, c.patch)
        self.pos = nn.Parameter(torch.randn(1, n, c.dim) * 0.02)
        self.t_mlp = nn.Sequential(nn.Linear(256, c.dim), nn.SiLU(), nn.Linear(c.dim, c.dim))
        self.y_emb = nn.Embedding(c.classes + 1, c.dim)
        self.blocks = nn.ModuleList([DiTBlock(c.dim, c.heads) for _ in range(c.depth)])
        self.final = nn.Linear(c.dim, c.patch**2 * c.channels)

    def forward(self, x, t, y):
        c = self.c
        freqs = torch.exp(-9.21 * torch.arange(128, device=x.device) / 128)
        a = 1000 * t.float()[:, None] * freqs
        emb = self.t_mlp(torch.cat([a.cos(), a.sin()], -1).to(x.dtype)) + self.y_emb(y)
        h = self.embed(x).flatten(2).transpose(1, 2) + self.pos
        for blk in self.blocks:
            h = blk(h, emb)
        g = c.latent // c.patch
        h = self.final(h).view(-1, g, g, c.patch, c.patch, c.channels)
        return h.permute(0, 5, 1, 3, 2, 4).reshape(-1, c.channels, c.latent, c.latent)


class MasterAdamW:
    """Keeps fp32 weights; the bf16 model is only a working copy."""

    def __init__(self, params, lr):
        self.params = list(params)
        self.master = [p.detach().float().clone() for p in self.params]
        self.inner = torch.optim.AdamW(self.master, lr=lr, betas=(0.9, 0.99), weight_decay=0.0, foreach=True)

    @torch.no_grad()
    def step(self):
        for m, p in zip(self.master, self.params):
            m.grad = p.grad.float()
            p.grad = None
        self.inner.step()
        for m, p in zip(self.master, self.params):
            p.copy_(m)
            m.grad = None


@torch.no_grad()
def sample(model, cfg, y):
    model.eval()
    x = torch.randn(len(y), cfg.channels, cfg.latent, cfg.latent, device=y.device, dtype=torch.bfloat16)
    null = torch.full_like(y, cfg.classes)
    ts = torch.linspace(1, 0, cfg.sample_steps + 1)
    for a, b in zip(ts[:-1], ts[1:]):
        t = torch.full((2 * len(y),), float(a), device=y.device)
        vc, vu = model(torch.cat([x, x]), t, torch.cat([y, null])).chunk(2)
        x = x + (b - a) * (vu + cfg.cfg_scale * (vc - vu))
    return x


def main():
    cfg = Cfg()
    torch.manual_seed(0)
    model = DiT(cfg).to("cuda", torch.bfloat16)
    opt = MasterAdamW(model.parameters(), cfg.lr)
    print("params %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))
    for step in range(cfg.steps):
        x0 = torch.randn(cfg.batch, cfg.channels, cfg.latent, cfg.latent, device="cuda").to(torch.bfloat16)
        y = torch.randint(0, cfg.classes, (cfg.batch,), device="cuda")
        y = torch.where(torch.rand(cfg.batch, device="cuda") < 0.1, cfg.classes, y)
        noise = torch.randn_like(x0)
        t = torch.sigmoid(torch.randn(cfg.batch, device="cuda"))
        tb = t.to(torch.bfloat16).view(-1, 1, 1, 1)
        pred = model((1 - tb) * x0 + tb * noise, t, y)
        loss = F.mse_loss(pred.float(), (noise - x0).float())
        loss.backward()
        opt.step()
        print(f"step {step} loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    out = sample(model, cfg, torch.arange(8, device="cuda"))
    print("samples", tuple(out.shape), out.float().std().item())


if __name__ == "__main__":
    main()
