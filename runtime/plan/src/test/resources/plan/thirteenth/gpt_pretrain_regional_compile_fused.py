"""nanoGPT-like pre-training. Every block is compiled on its own (regional compilation) so that start-up stays short.

bf16 autocast, fused AdamW, token file as memory map, cosine schedule with warm-up, gradient accumulation.
"""
import inspect
import math
import os
import tempfile
import time
from dataclasses import asdict, dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    block_size: int = 512
    vocab_size: int = 50304
    n_layer: int = 8
    n_head: int = 10
    n_embd: int = 640
    batch: int = 6
    accum: int = 2
    iters: int = 4
    lr: float = 6e-4
    min_lr: float = 6e-5
    warmup: int = 1


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n_head = c.n_head
        self.ln1, self.ln2 = nn.LayerNorm(c.n_embd, bias=False), nn.LayerNorm(c.n_embd, bias=False)
        self.attn = nn.Linear(c.n_embd, 3 * c.n_embd, bias=False)
        self.proj = nn.Linear(c.n_embd, c.n_embd, bias=False)
        self.up = nn.Linear(c.n_embd, 4 * c.n_embd, bias=False)
        self.down = nn.Linear(4 * c.n_embd, c.n_embd, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.attn(self.ln1(x)).split(d, dim=2)
        q, k, v = (z.view(b, t, self.n_head, d // self.n_head).transpose(1, 2) for z in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.ln2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(c.vocab_size, c.n_embd), nn.Embedding(c.block_size, c.n_embd)
        self.h = nn.ModuleList([Block(c) for _ in range(c.n_layer)])
        self.ln_f = nn.LayerNorm(c.n_embd, bias=False)
        self.lm_head = nn.Linear(c.n_embd, c.vocab_size, bias=False)
        self.lm_head.weight = self.wte.weight
        for n, p in self.named_parameters():
            if p.ndim > 1:
                nn.init.normal_(p, std=0.02 / (math.sqrt(2 * c.n_layer) if n.endswith(("proj.weight", "down.weight")) else 1))

    def forward(self, idx, targets=None):
        x = self.wte(idx) + self.wpe.weight[: idx.size(1)]
        for b in self.h:
            x = b(x)
        x = self.ln_f(x)
        if targets is None:
            return self.lm_head(x[:, -1:]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))


def configure(model, c):
    decay = [p for p in model.parameters() if p.ndim >= 2]
    other = [p for p in model.parameters() if p.ndim < 2]
    fused = "fused" in inspect.signature(torch.optim.AdamW).parameters
    return torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.1}, {"params": other, "weight_decay": 0.0}], lr=c.lr, betas=(0.9, 0.95), fused=fused
    )


def lr_for(it, c):
    if it < c.warmup:
        return c.lr * (it + 1) / (c.warmup + 1)
    r = (it - c.warmup) / max(1, c.iters - c.warmup)
    return c.min_lr + 0.5 * (1 + math.cos(math.pi * r)) * (c.lr - c.min_lr)


def main():
    c = GPTConfig()
    torch.manual_seed(1337)
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda")
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "train.bin")
        np.random.default_rng(1337).integers(0, 50257, 200_000, dtype=np.uint16).tofile(path)
        data = np.memmap(path, dtype=np.uint16, mode="r")

        def get_batch():
            ix = torch.randint(len(data) - c.block_size - 1, (c.batch,))
            rows = np.stack([data[i : i + c.block_size + 1] for i in ix.tolist()]).astype(np.int64)
            t = torch.from_numpy(rows).to(device, non_blocking=True)
            return t[:, :-1], t[:, 1:].contiguous()

        model = GPT(c).to(device)
        opt = configure(model, c)
        for b in model.h:
            b.compile()
        for it in range(c.iters):
            t0 = time.time()
            for g in opt.param_groups:
                g["lr"] = lr_for(it, c)
            for _ in range(c.accum):
                x, y = get_batch()
                with torch.autocast("cuda", dtype=torch.bfloat16):
                    _, loss = model(x, y)
                (loss / c.accum).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad(set_to_none=True)
            print(f"iter {it}: loss {loss.item():.4f}, {1000 * (time.time() - t0):.0f} ms, "
                  f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
        torch.save({"model": model.state_dict(), "config": asdict(c)}, os.path.join(d, "ckpt.pt"))
        print("checkpoint MiB", os.path.getsize(os.path.join(d, "ckpt.pt")) // 2**20)


if __name__ == "__main__":
    main()
