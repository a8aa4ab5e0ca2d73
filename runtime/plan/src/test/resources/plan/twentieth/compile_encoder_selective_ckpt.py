"""Masked language modelling with a small encoder: selective activation checkpointing (matmul and attention outputs
kept, the rest recomputed) and one fused gate by torch.compile. Linear warmup."""
import time
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

VOCAB, DIM, HEADS, LAYERS, FF = 20000, 512, 8, 4, 2048
SEQ = 256
BATCH, STEPS, MASK = 32, 5, 4
DEV = "cuda"

SAVE = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default,
        torch.ops.aten._scaled_dot_product_flash_attention.default,
        torch.ops.aten._scaled_dot_product_efficient_attention.default}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in SAVE else CheckpointPolicy.PREFER_RECOMPUTE


context_fn = partial(create_selective_checkpoint_contexts, policy)


@torch.compile(dynamic=False)
def gated_gelu(ab):
    a, b = ab.chunk(2, -1)
    return F.gelu(a, approximate="tanh") * b


class GEGLU(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(DIM, 2 * FF, bias=False), nn.Linear(FF, DIM, bias=False)

    def forward(self, x):
        return self.down(gated_gelu(self.up(x)))


class EncoderBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, DIM)
        self.ff = GEGLU()

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, HEADS, DIM // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, DIM))
        return x + self.ff(self.n2(x))


class MLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.pos = nn.Embedding(SEQ, DIM)
        self.blocks = nn.ModuleList(EncoderBlock() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(DIM)
        self.dec = nn.Linear(DIM, VOCAB)
        self.dec.weight = self.tok.weight
        nn.init.normal_(self.tok.weight, std=0.02)

    def forward(self, ids):
        x = self.tok(ids) + self.pos.weight[:ids.size(1)]
        for b in self.blocks:
            if self.training:
                x = checkpoint(b, x, use_reentrant=False, context_fn=context_fn)
            else:
                x = b(x)
        return self.norm(x)


def make_batch(length):
    ids = torch.randint(5, VOCAB, (BATCH, length), device=DEV)
    masked = torch.rand(ids.shape, device=DEV) < 0.15
    return torch.where(masked, torch.full_like(ids, MASK), ids), ids, masked


def main():
    torch.manual_seed(9)
    torch.set_float32_matmul_precision("high")
    model = MLM().to(DEV)
    opt = torch.optim.AdamW(model.parameters(), lr=4e-4, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 0.2, 1.0, total_iters=4)
    model.train()
    for step in range(STEPS):
        t0 = time.perf_counter()
        inp, tgt, masked = make_batch(SEQ)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            h = model(inp)
            logits = model.dec(h[masked])             # only the masked places get logits
        loss = F.cross_entropy(logits.float(), tgt[masked])
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        sched.step()
        torch.cuda.synchronize()
        print(f"step {step} loss {loss.item():.4f} {time.perf_counter() - t0:.2f}s "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
