"""Mixture-of-experts decoder (top-2 routing, load-balance + z loss), selective activation checkpointing
that keeps matmul outputs and recomputes the rest."""
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts


@dataclass
class Conf:
    vocab: int = 10000
    dim: int = 512
    heads: int = 8
    layers: int = 4
    experts: int = 8
    topk: int = 2
    ffn: int = 1408
    seq: int = 512
    batch: int = 8
    steps: int = 4
    device: str = "cuda"


KEEP = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default, torch.ops.aten.bmm.default}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in KEEP else CheckpointPolicy.PREFER_RECOMPUTE


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.heads
        self.norm, self.qkv, self.o = nn.RMSNorm(c.dim), nn.Linear(c.dim, 3 * c.dim, bias=False), nn.Linear(c.dim, c.dim, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.h, -1).transpose(1, 2) for z in self.qkv(self.norm(x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.o(y.transpose(1, 2).reshape(b, t, d))


class Expert(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.w1, self.w3 = nn.Linear(c.dim, c.ffn, bias=False), nn.Linear(c.dim, c.ffn, bias=False)
        self.w2 = nn.Linear(c.ffn, c.dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class MoE(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.norm = nn.RMSNorm(c.dim)
        self.gate = nn.Linear(c.dim, c.experts, bias=False)
        self.experts = nn.ModuleList(Expert(c) for _ in range(c.experts))

    def forward(self, x):
        c = self.c
        flat = self.norm(x).reshape(-1, c.dim)
        logits = self.gate(flat).float()
        w, idx = logits.softmax(-1).topk(c.topk, -1)
        w = w / w.sum(-1, keepdim=True)
        out = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            tok, slot = (idx == e).nonzero(as_tuple=True)
            y = expert(flat[tok]) * w[tok, slot, None].to(flat.dtype)
            out = out.index_add(0, tok, y.to(out.dtype))
        load = F.one_hot(idx, c.experts).float().sum(1).mean(0)
        aux = c.experts * (load * logits.softmax(-1).mean(0)).sum()
        z = logits.logsumexp(-1).pow(2).mean()
        return x + out.view_as(x), 0.01 * aux + 0.001 * z


class Model(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.emb = nn.Embedding(c.vocab, c.dim)
        self.pos = nn.Parameter(torch.randn(c.seq, c.dim) * 0.02)
        self.att = nn.ModuleList(Attention(c) for _ in range(c.layers))
        self.moe = nn.ModuleList(MoE(c) for _ in range(c.layers))
        self.norm, self.head = nn.RMSNorm(c.dim), nn.Linear(c.dim, c.vocab, bias=False)

    def forward(self, ids):
        x, aux = self.emb(ids) + self.pos[: ids.size(1)], 0.0
        ctx = partial(create_selective_checkpoint_contexts, policy)
        for a, m in zip(self.att, self.moe):
            x = checkpoint(a, x, use_reentrant=False, context_fn=ctx)
            x, l = m(x)
            aux = aux + l
        return self.head(self.norm(x)), aux


def main(c=Conf()):
    torch.manual_seed(8)
    model = Model(c).to(c.device)
    total = sum(p.numel() for p in model.parameters())
    per_expert = sum(p.numel() for p in model.moe[0].experts[0].parameters())
    active = total - c.layers * (c.experts - c.topk) * per_expert
    print(f"total {total / 1e6:.1f}M active {active / 1e6:.1f}M")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1, foreach=True)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=c.steps)
    for step in range(c.steps):
        ids = torch.randint(c.vocab, (c.batch, c.seq + 1)).to(c.device)
        logits, aux = model(ids[:, :-1])
        ce = F.cross_entropy(logits.reshape(-1, c.vocab), ids[:, 1:].reshape(-1))
        (ce + aux).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad()
        print(f"step {step} ce {ce.item():.4f} aux {aux.item():.4f} peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
