"""Decoder in pure bfloat16. The optimizer runs inside backward (post-accumulate hooks free each grad at once),
selective activation checkpointing keeps matmul outputs only, loss over vocabulary in chunks."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

VOCAB, DIM, LAYERS, HEADS, SEQ, BATCH, STEPS, CE_CHUNK = 32768, 1024, 10, 16, 640, 8, 5, 1024

SAVE = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default,
        torch.ops.aten._scaled_dot_product_flash_attention.default,
        torch.ops.aten._scaled_dot_product_efficient_attention.default}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in SAVE else CheckpointPolicy.PREFER_RECOMPUTE


context_fn = functools.partial(create_selective_checkpoint_contexts, policy)


class SwiGLU(nn.Module):
    def __init__(self, d, hidden):
        super().__init__()
        self.w12, self.w3 = nn.Linear(d, 2 * hidden, bias=False), nn.Linear(hidden, d, bias=False)

    def forward(self, x):
        a, b = self.w12(x).chunk(2, -1)
        return self.w3(F.silu(a) * b)


class DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)
        self.mlp = SwiGLU(DIM, DIM * 8 // 3 // 64 * 64)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, HEADS, DIM // HEADS).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(B, T, DIM))
        return x + self.mlp(self.n2(x))


def chunk_ce(h, w, target):
    return F.cross_entropy((h @ w.T).float(), target, reduction="sum")


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, DIM), nn.Embedding(SEQ, DIM)
        self.layers = nn.ModuleList(DecoderLayer() for _ in range(LAYERS))
        self.norm, self.head = nn.RMSNorm(DIM), nn.Linear(DIM, VOCAB, bias=False)
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.Embedding)):
                nn.init.normal_(m.weight, std=0.02)

    def forward(self, ids, target):
        x = self.tok(ids) + self.pos.weight[: ids.size(1)]
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False, context_fn=context_fn)
        h, t = self.norm(x).flatten(0, 1), target.flatten()
        total = 0.0
        for hc, tc in zip(h.split(CE_CHUNK), t.split(CE_CHUNK)):
            total = total + checkpoint(chunk_ce, hc, self.head.weight, tc, use_reentrant=False)
        return total / t.numel()


class InBackwardLion:
    """Lion with one momentum per parameter and stochastic sign-free decay, stepped by the gradient hooks"""

    def __init__(self, params, lr, betas=(0.9, 0.98), wd=0.1):
        self.lr, self.betas, self.wd, self.m = lr, betas, wd, {}
        for p in params:
            p.register_post_accumulate_grad_hook(self.hook)

    @torch.no_grad()
    def hook(self, p):
        b1, b2 = self.betas
        m = self.m.get(p)
        if m is None:
            m = self.m[p] = torch.zeros_like(p)
        update = m.mul(b1).add_(p.grad, alpha=1 - b1).sign_()
        p.mul_(1 - self.lr * self.wd).add_(update, alpha=-self.lr)
        m.mul_(b2).add_(p.grad, alpha=1 - b2)
        p.grad = None


def main():
    torch.manual_seed(57)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = Decoder()
    opt = InBackwardLion(model.parameters(), lr=1e-4)
    n = sum(p.numel() for p in model.parameters())
    print(f"{n / 1e6:.0f}M parameters, {torch.cuda.memory_allocated() / 2**20:.0f} MiB of weights")
    for step in range(STEPS):
        opt.lr = 1e-4 * min(1.0, (step + 1) / 3)
        ids = torch.randint(0, VOCAB, (BATCH, SEQ + 1), device="cuda")
        loss = model(ids[:, :-1], ids[:, 1:])
        loss.backward()
        left = sum(p.grad is not None for p in model.parameters())
        print(f"step {step} loss {loss.item():.3f} grads left {left} alloc {torch.cuda.memory_allocated() / 2**20:.0f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
