"""Latent DiT trained with rectified flow. Each transformer block is compiled on its own (regional compile)."""
import argparse
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F


def modulate(x, shift, scale):
    return x * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


class DiTBlock(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.n1 = nn.LayerNorm(d, elementwise_affine=False, eps=1e-6)
        self.n2 = nn.LayerNorm(d, elementwise_affine=False, eps=1e-6)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.fc1, self.fc2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.ada = nn.Linear(d, 6 * d)
        nn.init.zeros_(self.ada.weight)
        nn.init.zeros_(self.ada.bias)

    def forward(self, x, c):
        b, n, d = x.shape
        s1, k1, g1, s2, k2, g2 = self.ada(F.silu(c)).chunk(6, dim=-1)
        q, k, v = self.qkv(modulate(self.n1(x), s1, k1)).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
        x = x + g1.unsqueeze(1) * self.proj(a)
        h = self.fc2(F.gelu(self.fc1(modulate(self.n2(x), s2, k2)), approximate="tanh"))
        return x + g2.unsqueeze(1) * h


class DiT(nn.Module):
    def __init__(self, size, patch, ch, d, depth, heads, classes):
        super().__init__()
        self.patch, self.ch, self.size, self.classes = patch, ch, size, classes
        self.embed = nn.Conv2d(ch, d, patch, patch)
        self.pos = nn.Parameter(torch.randn(1, (size // patch) ** 2, d) * 0.02)
        self.t_mlp = nn.Sequential(nn.Linear(256, d), nn.SiLU(), nn.Linear(d, d))
        self.label = nn.Embedding(classes + 1, d)
        self.blocks = nn.ModuleList(DiTBlock(d, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(d, elementwise_affine=False)
        self.out = nn.Linear(d, patch * patch * ch)
        nn.init.zeros_(self.out.weight)

    def forward(self, x, t, y):
        freq = torch.exp(-math.log(10000.0) * torch.arange(128, device=x.device) / 128)
        ang = t[:, None] * 1000 * freq
        c = self.t_mlp(torch.cat([ang.cos(), ang.sin()], -1)) + self.label(y)
        h = self.embed(x).flatten(2).transpose(1, 2) + self.pos
        for blk in self.blocks:
            h = blk(h, c)
        h = self.out(self.norm(h))
        g = self.size // self.patch
        h = h.view(-1, g, g, self.patch, self.patch, self.ch).permute(0, 5, 1, 3, 2, 4)
        return h.reshape(-1, self.ch, self.size, self.size)


@torch.no_grad()
def euler_sample(model, n, steps, device, args):
    x = torch.randn(n, args.channels, args.size, args.size, device=device)
    y = torch.arange(n, device=device) % args.classes
    for i in range(steps):
        t = torch.full((n,), i / steps, device=device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            v = model(x, t, y)
        x = x + v.float() / steps
    return x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", type=int, default=32)
    ap.add_argument("--patch", type=int, default=2)
    ap.add_argument("--channels", type=int, default=4)
    ap.add_argument("--dim", type=int, default=384)
    ap.add_argument("--depth", type=int, default=8)
    ap.add_argument("--classes", type=int, default=100)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--steps", type=int, default=5)
    args = ap.parse_args()
    torch.manual_seed(55)
    device = "cuda"
    model = DiT(args.size, args.patch, args.channels, args.dim, args.depth, 6, args.classes).to(device)
    for blk in model.blocks:
        blk.compile()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95), weight_decay=0.0, fused=True)
    t0 = time.time()
    for step in range(args.steps):
        x1 = torch.randn(args.batch, args.channels, args.size, args.size, device=device)
        x0 = torch.randn_like(x1)
        y = torch.randint(0, args.classes, (args.batch,), device=device)
        y = torch.where(torch.rand(args.batch, device=device) < 0.1, args.classes, y)
        t = torch.sigmoid(torch.randn(args.batch, device=device))      # logit-normal times
        tt = t.view(-1, 1, 1, 1)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            v = model((1 - tt) * x0 + tt * x1, t, y)
        loss = F.mse_loss(v.float(), x1 - x0)
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} loss {loss.item():.4f} t={time.time() - t0:.1f}s")
    model.eval()
    # sampling eagerly: not worth another compilation for the no-grad graph
    with torch.compiler.set_stance("force_eager"):
        img = euler_sample(model, args.batch, 4, device, args)
    print(f"sample std {img.std().item():.3f}  peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
