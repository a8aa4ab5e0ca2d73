"""Mixture-of-experts language model: top-2 routing with capacity, aux losses, reentrant checkpointing."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Experts(nn.Module):
    def __init__(self, n, d, h):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(n, d, h) * d**-0.5)
        self.w2 = nn.Parameter(torch.randn(n, h, d) * h**-0.5)

    def forward(self, x):  # (E, C, d)
        return torch.bmm(F.gelu(torch.bmm(x, self.w1)), self.w2)


class MoE(nn.Module):
    def __init__(self, d, h, n_experts, k=2, cap=1.25):
        super().__init__()
        self.gate = nn.Linear(d, n_experts, bias=False)
        self.experts = Experts(n_experts, d, h)
        self.n, self.k, self.cap = n_experts, k, cap

    def forward(self, x):
        b, t, d = x.shape
        flat = x.reshape(-1, d)
        logits = self.gate(flat).float()
        probs = logits.softmax(-1)
        w, idx = probs.topk(self.k, -1)
        w = w / w.sum(-1, keepdim=True)
        cap = int(self.cap * self.k * len(flat) / self.n)
        onehot = F.one_hot(idx, self.n)  # (N, k, E)
        order = onehot.transpose(0, 1).reshape(-1, self.n).cumsum(0).view(self.k, -1, self.n).transpose(0, 1)
        rank = (order * onehot).sum(-1) - 1
        keep = rank < cap
        slot = (idx * cap + rank)[keep]
        token = torch.arange(len(flat), device=x.device)[:, None].expand_as(idx)[keep]
        buf = torch.zeros(self.n * cap, d, device=x.device, dtype=flat.dtype)
        buf = buf.index_copy(0, slot, flat[token])
        y = self.experts(buf.view(self.n, cap, d)).reshape(-1, d)
        out = torch.zeros_like(flat).index_add(0, token, (y[slot] * w[keep][:, None].to(y.dtype)).to(flat.dtype))
        load = onehot[:, 0].float().mean(0)
        aux = self.n * (load * probs.mean(0)).sum() + 1e-3 * torch.logsumexp(logits, -1).pow(2).mean()
        return out.view(b, t, d), aux


class Layer(nn.Module):
    def __init__(self, d, heads, h, n_experts):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(d), nn.RMSNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
        self.moe, self.heads = MoE(d, h, n_experts), heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, d))
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class LM(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.tok = nn.Embedding(a.vocab, a.dim)
        self.pos = nn.Embedding(a.seq, a.dim)
        self.layers = nn.ModuleList(Layer(a.dim, 8, 4 * a.dim, a.experts) for _ in range(a.layers))
        self.norm, self.head = nn.RMSNorm(a.dim), nn.Linear(a.dim, a.vocab, bias=False)

    def forward(self, ids):
        x = self.tok(ids) + self.pos.weight[: ids.size(1)]
        total = 0.0
        for l in self.layers:
            if self.training:
                x, aux = checkpoint(l, x, use_reentrant=True)
            else:
                x, aux = l(x)
            total = total + aux
        return self.head(self.norm(x)), total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=512)
    ap.add_argument("--layers", type=int, default=4)
    ap.add_argument("--experts", type=int, default=8)
    ap.add_argument("--vocab", type=int, default=16000)
    ap.add_argument("--seq", type=int, default=384)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--steps", type=int, default=5)
    a = ap.parse_args()
    torch.manual_seed(0)
    model = LM(a).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
    print("params %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))

    def batch():
        ids = torch.randint(0, a.vocab, (a.batch, a.seq + 1)).to("cuda")
        return ids[:, :-1], ids[:, 1:]

    model.train()
    for step in range(a.steps):
        x, y = batch()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits, aux = model(x)
            ce = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        loss = ce + 0.01 * aux
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print(f"step {step} ce {ce.item():.4f} aux {aux.item():.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
        x, y = batch()
        print("eval ce", F.cross_entropy(model(x)[0].flatten(0, 1), y.flatten()).item())


if __name__ == "__main__":
    main()
