"""DiT with adaLN-zero on latents, rectified-flow objective, torch.compile, bf16 autocast, EMA, Euler sampler with CFG."""
from copy import deepcopy

import torch
import torch.nn as nn
import torch.nn.functional as F

LATENT, CH, PATCH, DIM, DEPTH, HEADS, CLASSES = 32, 4, 2, 512, 6, 8, 100
BATCH, STEPS, SAMPLES, EULER = 32, 5, 16, 6


def timestep_embedding(t, dim):
    f = torch.exp(-torch.arange(dim // 2, device=t.device) * (9.21 / (dim // 2)))
    a = 1000 * t[:, None] * f
    return torch.cat([a.cos(), a.sin()], 1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = (nn.LayerNorm(DIM, elementwise_affine=False) for _ in range(2))
        self.qkv, self.proj = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(approximate="tanh"), nn.Linear(4 * DIM, DIM))
        self.ada = nn.Sequential(nn.SiLU(), nn.Linear(DIM, 6 * DIM))
        nn.init.zeros_(self.ada[1].weight), nn.init.zeros_(self.ada[1].bias)

    def forward(self, x, c):
        s1, b1, g1, s2, b2, g2 = self.ada(c)[:, None].chunk(6, -1)
        B, N, _ = x.shape
        h = self.n1(x) * (1 + s1) + b1
        q, k, v = self.qkv(h).view(B, N, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, N, DIM)
        x = x + g1 * self.proj(a)
        return x + g2 * self.mlp(self.n2(x) * (1 + s2) + b2)


class DiT(nn.Module):
    def __init__(self):
        super().__init__()
        n = (LATENT // PATCH) ** 2
        self.patch = nn.Conv2d(CH, DIM, PATCH, PATCH)
        self.pos = nn.Parameter(0.02 * torch.randn(1, n, DIM))
        self.t = nn.Sequential(nn.Linear(256, DIM), nn.SiLU(), nn.Linear(DIM, DIM))
        self.y = nn.Embedding(CLASSES + 1, DIM)
        self.blocks = nn.ModuleList(Block() for _ in range(DEPTH))
        self.norm = nn.LayerNorm(DIM, elementwise_affine=False)
        self.out = nn.Linear(DIM, PATCH * PATCH * CH)

    def forward(self, x, t, y):
        h = self.patch(x).flatten(2).transpose(1, 2) + self.pos
        c = self.t(timestep_embedding(t, 256)) + self.y(y)
        for b in self.blocks:
            h = b(h, c)
        return F.fold(self.out(self.norm(h)).transpose(1, 2), LATENT, PATCH, stride=PATCH)


def main():
    torch.manual_seed(0)
    dev = "cuda"
    model = DiT().to(dev)
    ema = deepcopy(model).requires_grad_(False)
    for b in model.blocks:      # regional compilation: one graph, reused by every block
        b.compile()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0, fused=True)
    for it in range(STEPS):
        x1 = torch.randn(BATCH, CH, LATENT, LATENT, device=dev)
        x0 = torch.randn_like(x1)
        y = torch.randint(0, CLASSES, (BATCH,), device=dev)
        y = torch.where(torch.rand(BATCH, device=dev) < 0.1, CLASSES, y)
        t = torch.sigmoid(torch.randn(BATCH, device=dev))
        xt = torch.lerp(x0, x1, t.view(-1, 1, 1, 1))
        with torch.autocast(dev, dtype=torch.bfloat16):
            v = model(xt, t, y)
        loss = F.mse_loss(v.float(), x1 - x0)
        loss.backward()
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            torch._foreach_lerp_(list(ema.parameters()), list(model.parameters()), 0.001)
        print(it, loss.item())

    ema.eval()
    with torch.no_grad(), torch.autocast(dev, dtype=torch.bfloat16):
        x = torch.randn(SAMPLES, CH, LATENT, LATENT, device=dev)
        y = torch.arange(SAMPLES, device=dev) % CLASSES
        y2 = torch.cat([y, torch.full_like(y, CLASSES)])
        for i in range(EULER):
            t = torch.full((2 * SAMPLES,), i / EULER, device=dev)
            cond, unc = ema(torch.cat([x, x]), t, y2).float().chunk(2)
            x = x + (unc + 3.0 * (cond - unc)) / EULER
    print("sample std", x.std().item(), "peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
