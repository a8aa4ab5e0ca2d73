"""Decoder-only LM with top-2 mixture-of-experts layers and selective activation checkpointing."""
import functools
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts


@dataclass
class Cfg:
    vocab: int = 16000
    dim: int = 768
    layers: int = 6
    heads: int = 12
    experts: int = 8
    top_k: int = 2
    ffn: int = 1536
    seq: int = 512
    batch: int = 8
    steps: int = 4
    aux: float = 0.01


SAVE_OPS = {torch.ops.aten.mm.default, torch.ops.aten._scaled_dot_product_flash_attention.default,
            torch.ops.aten._scaled_dot_product_efficient_attention.default}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in SAVE_OPS else CheckpointPolicy.PREFER_RECOMPUTE


class SwiGLU(nn.Module):
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
        self.gate = nn.Linear(c.dim, c.experts, bias=False)
        self.experts = nn.ModuleList([SwiGLU(c) for _ in range(c.experts)])

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        probs = self.gate(x).float().softmax(-1)
        w, idx = probs.topk(self.c.top_k, dim=-1)
        w = (w / w.sum(-1, keepdim=True)).to(x.dtype)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            token, slot = torch.where(idx == e)
            if token.numel() == 0:
                continue
            y = expert(x[token])
            out.index_add_(0, token, (y * w[token, slot, None]).to(out.dtype))
        load = F.one_hot(idx[:, 0], self.c.experts).float().mean(0)
        aux = self.c.experts * (load * probs.mean(0)).sum()
        return out.view(shape), aux


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.heads
        self.n1, self.n2 = nn.RMSNorm(c.dim), nn.RMSNorm(c.dim)
        self.qkv, self.proj = nn.Linear(c.dim, 3 * c.dim, bias=False), nn.Linear(c.dim, c.dim, bias=False)
        self.moe = MoE(c)

    def attend(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.proj(o.transpose(1, 2).reshape(b, t, d))

    def forward(self, x):
        context_fn = functools.partial(create_selective_checkpoint_contexts, policy)
        x = checkpoint(self.attend, x, use_reentrant=False, context_fn=context_fn)
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class MoELM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.emb = nn.Embedding(c.vocab, c.dim)
        self.pos = nn.Embedding(c.seq, c.dim)
        self.blocks = nn.ModuleList([Block(c) for _ in range(c.layers)])
        self.norm = nn.RMSNorm(c.dim)
        self.apply(lambda m: nn.init.normal_(m.weight, std=0.02) if isinstance(m, (nn.Linear, nn.Embedding)) else None)

    def forward(self, ids):
        x = self.emb(ids) + self.pos.weight[: ids.size(1)]
        aux = 0.0
        for b in self.blocks:
            x, a = b(x)
            aux = aux + a
        return F.linear(self.norm(x), self.emb.weight), aux / len(self.blocks)


def main():
    c = Cfg()
    torch.manual_seed(64)
    dev = torch.device("cuda")
    model = MoELM(c).to(dev)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f}M parameters, {c.experts} experts top-{c.top_k}")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), weight_decay=0.1, foreach=False)
    for step in range(c.steps):
        ids = torch.randint(0, c.vocab, (c.batch, c.seq + 1), device=dev)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits, aux = model(ids[:, :-1])
            ce = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
            loss = ce + c.aux * aux
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} ce {ce.item():.4f} aux {aux.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
