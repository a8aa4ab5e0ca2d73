"""8k-context decoder pre-training: selective checkpointing (only attention outputs are kept), chunked compiled CE, bf16 params
with fp32 master copy kept by the optimiser wrapper."""
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

VOCAB, DIM, HEADS, KV, LAYERS, CTX = 32000, 768, 12, 4, 6, 8192
STEPS, CHUNK = 4, 1024
DEV = "cuda"

KEEP = {
    torch.ops.aten._scaled_dot_product_flash_attention.default,
    torch.ops.aten._scaled_dot_product_efficient_attention.default,
}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in KEEP else CheckpointPolicy.PREFER_RECOMPUTE


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        hd = DIM // HEADS
        self.n1, self.n2 = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.q, self.kv = nn.Linear(DIM, DIM, bias=False), nn.Linear(DIM, 2 * KV * hd, bias=False)
        self.o = nn.Linear(DIM, DIM, bias=False)
        self.gate, self.up = nn.Linear(DIM, 2048, bias=False), nn.Linear(DIM, 2048, bias=False)
        self.down = nn.Linear(2048, DIM, bias=False)

    def forward(self, x, rope):
        B, T, _ = x.shape
        h = self.n1(x)
        q = self.q(h).view(B, T, HEADS, -1).transpose(1, 2)
        k, v = self.kv(h).view(B, T, 2 * KV, -1).transpose(1, 2).chunk(2, 1)
        cos, sin = rope
        rot = lambda t: t * cos + torch.cat([-t[..., t.shape[-1] // 2:], t[..., : t.shape[-1] // 2]], -1) * sin
        k, v = rot(k).repeat_interleave(HEADS // KV, 1), v.repeat_interleave(HEADS // KV, 1)
        a = F.scaled_dot_product_attention(rot(q), k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(B, T, DIM))
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(DIM)
        self.ctx = partial(create_selective_checkpoint_contexts, policy)

    def forward(self, ids):
        hd = DIM // HEADS
        f = 5e5 ** (-torch.arange(0, hd, 2, device=ids.device) / hd)
        a = torch.outer(torch.arange(ids.shape[1], device=ids.device), f)
        a = torch.cat([a, a], -1)
        rope = (a.cos().to(self.emb.weight.dtype), a.sin().to(self.emb.weight.dtype))
        x = self.emb(ids)
        for l in self.layers:
            x = checkpoint(l, x, rope, use_reentrant=False, context_fn=self.ctx)
        return self.norm(x)


@torch.compile
def ce_sum(logits, y):
    return F.cross_entropy(logits.float(), y, reduction="sum")


def head_chunk(h, w, y):
    return ce_sum(h @ w.T, y)


def chunked_loss(h, w, y):
    h, y = h.flatten(0, 1), y.flatten()
    parts = [checkpoint(head_chunk, a, w, b, use_reentrant=False) for a, b in zip(h.split(CHUNK), y.split(CHUNK))]
    return torch.stack(parts).sum() / len(y)


class MasterAdamW:
    def __init__(self, params, **kw):
        self.low = list(params)
        self.master = [p.detach().float().clone() for p in self.low]
        self.opt = torch.optim.AdamW(self.master, **kw)

    @torch.no_grad()
    def step(self):
        norm = torch.stack(torch._foreach_norm([p.grad for p in self.low])).float().norm()
        for m, p in zip(self.master, self.low):
            m.grad = p.grad.float() * (1 / norm).clamp(max=1.0)
            p.grad = None
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        torch._foreach_copy_(self.low, self.master)
        return norm.item()


def main():
    torch.manual_seed(8192)
    model = LM().to(DEV, torch.bfloat16)
    opt = MasterAdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), weight_decay=0.1)
    for step in range(STEPS):
        ids = torch.randint(0, VOCAB, (1, CTX + 1), device=DEV)
        loss = chunked_loss(model(ids[:, :-1]), model.emb.weight, ids[:, 1:])
        loss.backward()
        n = opt.step()
        print(f"step {step} loss {loss.item():.4f} grad {n:.3f} peak {torch.cuda.max_memory_allocated() >> 20} MiB")


if __name__ == "__main__":
    main()
