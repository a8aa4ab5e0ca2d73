"""nanoGPT-like decoder with RMSNorm, grouped-query attention, rotary, and a hand-written Muon for matrices."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    vocab: int = 24000
    ctx: int = 512
    dim: int = 640
    layers: int = 8
    heads: int = 10
    kv_heads: int = 2
    micro_batch: int = 6
    accum: int = 3
    steps: int = 4


def rotary(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1)


class Attn(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, self.hd = c, c.dim // c.heads
        self.q = nn.Linear(c.dim, c.dim, bias=False)
        self.kv = nn.Linear(c.dim, 2 * c.kv_heads * self.hd, bias=False)
        self.o = nn.Linear(c.dim, c.dim, bias=False)

    def forward(self, x, cos, sin):
        B, T, _ = x.shape
        q = self.q(x).view(B, T, self.c.heads, self.hd).transpose(1, 2)
        k, v = self.kv(x).view(B, T, 2, self.c.kv_heads, self.hd).permute(2, 0, 3, 1, 4)
        q, k = rotary(q, cos, sin), rotary(k, cos, sin)
        rep = self.c.heads // self.c.kv_heads
        k, v = k.repeat_interleave(rep, 1), v.repeat_interleave(rep, 1)
        y = F.scaled_dot_product_attention(q.to(v.dtype), k.to(v.dtype), v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(B, T, -1))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(c.dim), nn.RMSNorm(c.dim)
        self.attn = Attn(c)
        self.up = nn.Linear(c.dim, 4 * c.dim, bias=False)
        self.down = nn.Linear(4 * c.dim, c.dim, bias=False)

    def forward(self, x, cos, sin):
        x = x + self.attn(self.n1(x), cos, sin)
        return x + self.down(F.relu(self.up(self.n2(x))).square())


class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.emb = nn.Embedding(c.vocab, c.dim)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = nn.RMSNorm(c.dim)
        self.head = nn.Linear(c.dim, c.vocab, bias=False)
        self.head.weight = self.emb.weight
        hd = c.dim // c.heads
        f = torch.outer(torch.arange(c.ctx).float(), 1e4 ** (-torch.arange(0, hd, 2).float() / hd))
        self.register_buffer("cos", f.cos(), persistent=False)
        self.register_buffer("sin", f.sin(), persistent=False)
        nn.init.normal_(self.emb.weight, std=0.02)

    def forward(self, ids, targets):
        x = self.emb(ids)
        T = ids.shape[1]
        for b in self.blocks:
            x = b(x, self.cos[:T], self.sin[:T])
        logits = self.head(self.norm(x))
        return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten())


def newton_schulz(g, iters=5):
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.bfloat16()
    x = x / (x.norm() + 1e-7)
    flip = x.size(0) > x.size(1)
    x = x.T if flip else x
    for _ in range(iters):
        A = x @ x.T
        x = a * x + (b * A + c * A @ A) @ x
    return (x.T if flip else x).to(g.dtype)


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for grp in self.param_groups:
            for p in grp["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if "buf" not in st:
                    st["buf"] = torch.zeros_like(p)
                st["buf"].mul_(grp["momentum"]).add_(p.grad)
                upd = newton_schulz(p.grad.add(st["buf"], alpha=grp["momentum"]))
                p.add_(upd, alpha=-grp["lr"] * max(1, p.size(0) / p.size(1)) ** 0.5)


def main():
    torch.manual_seed(1337)
    c = GPTConfig()
    model = GPT(c).to("cuda")
    mats = [p for p in model.blocks.parameters() if p.ndim == 2]
    rest = [p for n, p in model.named_parameters() if p.ndim < 2 or not n.startswith("blocks")]
    opts = [Muon(mats), torch.optim.AdamW(rest, lr=3e-4, betas=(0.9, 0.95), fused=True)]
    data = torch.randint(0, c.vocab, (200_000,))
    for step in range(c.steps):
        tot = 0.0
        for _ in range(c.accum):
            ix = torch.randint(0, len(data) - c.ctx - 1, (c.micro_batch,))
            x = torch.stack([data[i:i + c.ctx] for i in ix]).to("cuda")
            y = torch.stack([data[i + 1:i + 1 + c.ctx] for i in ix]).to("cuda")
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = model(x, y) / c.accum
            loss.backward()
            tot += loss.item()
        for o in opts:
            o.step()
            o.zero_grad(set_to_none=True)
        print(f"step {step} loss {tot:.4f} (ln V = {math.log(c.vocab):.3f}) peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


main()
