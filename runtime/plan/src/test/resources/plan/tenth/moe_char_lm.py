"""Character LM with a sparse mixture-of-experts transformer (top-2 routing, load balancing loss, recomputation)."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class MoE(nn.Module):
    def __init__(self, dim, hidden, n_experts, top_k=2):
        super().__init__()
        self.n, self.k = n_experts, top_k
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(n_experts, dim, hidden) / math.sqrt(dim))
        self.w3 = nn.Parameter(torch.randn(n_experts, dim, hidden) / math.sqrt(dim))
        self.w2 = nn.Parameter(torch.randn(n_experts, hidden, dim) / math.sqrt(hidden))

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        probs = self.gate(x).softmax(-1)
        weight, expert = probs.topk(self.k, dim=-1)
        weight = weight / weight.sum(-1, keepdim=True)
        out = torch.zeros_like(x)
        for e in range(self.n):
            tok, slot = torch.where(expert == e)
            if tok.numel() == 0:
                continue
            h = x[tok]
            h = (F.silu(h @ self.w1[e]) * (h @ self.w3[e])) @ self.w2[e]
            out.index_add_(0, tok, h * weight[tok, slot, None])
        load = F.one_hot(expert, self.n).float().sum((0, 1)) / expert.numel()
        aux = self.n * (load * probs.mean(0)).sum()
        return out.view(shape), aux


class Layer(nn.Module):
    def __init__(self, dim, heads, n_experts):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.RMSNorm(dim), nn.RMSNorm(dim)
        self.qkv, self.o = nn.Linear(dim, 3 * dim, bias=False), nn.Linear(dim, dim, bias=False)
        self.moe = MoE(dim, 2 * dim, n_experts)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, c))
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class LM(nn.Module):
    def __init__(self, vocab, dim=640, heads=10, layers=6, n_experts=8, ctx=512, ckpt=True):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(ctx, dim)
        self.layers = nn.ModuleList(Layer(dim, heads, n_experts) for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(dim), nn.Linear(dim, vocab, bias=False)
        self.ckpt, self.ctx = ckpt, ctx

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.size(1), device=idx.device))
        aux = 0.0
        for i, layer in enumerate(self.layers):
            if self.ckpt and self.training and i % 2 == 0:    # every other layer is recomputed
                x, a = checkpoint(layer, x, use_reentrant=False)
            else:
                x, a = layer(x)
            aux = aux + a
        return self.head(self.norm(x)), aux / len(self.layers)


TEXT = "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs! " * 400


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--ctx", type=int, default=512)
    ap.add_argument("--dim", type=int, default=640)
    ap.add_argument("--iters", type=int, default=4)
    ap.add_argument("--lr", type=float, default=6e-4)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    chars = sorted(set(TEXT))
    stoi = {c: i for i, c in enumerate(chars)}
    data = torch.tensor([stoi[c] for c in TEXT], device=device)
    model = LM(len(chars), dim=args.dim, ctx=args.ctx).to(device)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.1)

    model.train()
    for it in range(args.iters):
        start = torch.randint(0, len(data) - args.ctx - 1, (args.batch, 1), device=device)
        window = data[start + torch.arange(args.ctx + 1, device=device)]
        logits, aux = model(window[:, :-1])
        ce = F.cross_entropy(logits.flatten(0, 1), window[:, 1:].flatten())
        opt.zero_grad()
        (ce + 0.01 * aux).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"iter {it}: ce {ce.item():.4f} aux {aux.item():.4f}")

    model.eval()
    seq = data[:16][None]
    with torch.no_grad():
        for _ in range(60):
            logits, _ = model(seq[:, -args.ctx:])
            seq = torch.cat([seq, torch.multinomial(logits[:, -1].softmax(-1), 1)], 1)
    print("".join(chars[i] for i in seq[0].tolist()))


if __name__ == "__main__":
    main()
