"""Latent flow matching with a DiT. Weights live in bf16; own AdamW keeps an fp32 master copy of them."""
import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
import torch.nn.functional as F


class Opts(NamedTuple):
    latent: int = 32
    chans: int = 4
    patch: int = 2
    dim: int = 768
    depth: int = 12
    heads: int = 12
    classes: int = 1000
    batch: int = 16
    steps: int = 4
    lr: float = 1e-4
    ode_steps: int = 4


class MasterAdamW(torch.optim.Optimizer):
    """p (bf16) <- master (fp32); moments in fp32, plain loop."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["master"] = p.detach().float()
                    st["m"] = torch.zeros_like(st["master"])
                    st["v"] = torch.zeros_like(st["master"])
                st["t"] += 1
                g = p.grad.float()
                st["m"].lerp_(g, 1 - b1)
                st["v"].mul_(b2).addcmul_(g, g, value=1 - b2)
                mhat = st["m"] / (1 - b1 ** st["t"])
                vhat = st["v"] / (1 - b2 ** st["t"])
                st["master"].mul_(1 - group["lr"] * group["weight_decay"])
                st["master"].addcdiv_(mhat, vhat.sqrt().add_(group["eps"]), value=-group["lr"])
                p.copy_(st["master"])


def modulate(x: Tensor, shift: Tensor, scale: Tensor) -> Tensor:
    return x * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


class DiTBlock(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.n1 = nn.LayerNorm(d, elementwise_affine=False, eps=1e-6)
        self.n2 = nn.LayerNorm(d, elementwise_affine=False, eps=1e-6)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU("tanh"), nn.Linear(4 * d, d))
        self.ada = nn.Sequential(nn.SiLU(), nn.Linear(d, 6 * d))
        nn.init.zeros_(self.ada[1].weight)
        nn.init.zeros_(self.ada[1].bias)

    def forward(self, x, c):
        s1, g1, a1, s2, g2, a2 = self.ada(c).chunk(6, -1)
        B, N, D = x.shape
        q, k, v = self.qkv(modulate(self.n1(x), s1, g1)).view(B, N, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, N, D)
        x = x + a1.unsqueeze(1) * self.proj(y)
        return x + a2.unsqueeze(1) * self.mlp(modulate(self.n2(x), s2, g2))


class DiT(nn.Module):
    def __init__(self, o: Opts):
        super().__init__()
        self.o = o
        n = (o.latent // o.patch) ** 2
        self.patchify = nn.Conv2d(o.chans, o.dim, o.patch, o.patch)
        self.pos = nn.Parameter(torch.randn(1, n, o.dim) * 0.02)
        self.tmlp = nn.Sequential(nn.Linear(256, o.dim), nn.SiLU(), nn.Linear(o.dim, o.dim))
        self.cls = nn.Embedding(o.classes, o.dim)
        self.blocks = nn.ModuleList(DiTBlock(o.dim, o.heads) for _ in range(o.depth))
        self.norm = nn.LayerNorm(o.dim, elementwise_affine=False)
        self.final = nn.Linear(o.dim, o.patch ** 2 * o.chans)

    def forward(self, x, t, y):
        o = self.o
        f = torch.exp(-math.log(1e4) * torch.arange(128, device=x.device) / 128)
        a = 1000 * t.float()[:, None] * f
        c = self.tmlp(torch.cat([a.cos(), a.sin()], -1).to(x.dtype)) + self.cls(y)
        h = self.patchify(x).flatten(2).transpose(1, 2) + self.pos
        for b in self.blocks:
            h = b(h, c)
        h = self.final(self.norm(h))
        s = o.latent // o.patch
        h = h.view(-1, s, s, o.patch, o.patch, o.chans)
        return torch.einsum("bhwpqc->bchpwq", h).reshape_as(x)


def main(o=Opts()):
    torch.manual_seed(77)
    dev, dt = torch.device("cuda"), torch.bfloat16
    model = DiT(o).to(dev, dt)
    print(f"DiT with {sum(p.numel() for p in model.parameters()) / 1e6:.0f}M parameters in {dt}")
    opt = MasterAdamW(model.parameters(), lr=o.lr, betas=(0.9, 0.95))
    for i in range(o.steps):
        x1 = torch.randn(o.batch, o.chans, o.latent, o.latent, device=dev, dtype=dt)
        x0 = torch.randn_like(x1)
        t = torch.sigmoid(torch.randn(o.batch, device=dev))
        tb = t.to(dt).view(-1, 1, 1, 1)
        y = torch.randint(0, o.classes, (o.batch,), device=dev)
        v = model((1 - tb) * x0 + tb * x1, t, y)
        loss = (v.float() - (x1 - x0).float()).pow(2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"{i} loss {loss.item():.4f} allocated {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    with torch.inference_mode():
        x = torch.randn(8, o.chans, o.latent, o.latent, device=dev, dtype=dt)
        y = torch.randint(0, o.classes, (8,), device=dev)
        for k in range(o.ode_steps):
            x = x + model(x, torch.full((8,), k / o.ode_steps, device=dev), y) / o.ode_steps
    print(f"sample std {x.float().std().item():.3f}, peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
