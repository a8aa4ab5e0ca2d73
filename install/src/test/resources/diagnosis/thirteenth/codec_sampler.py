# limit: 1.0
"""Sampling from an audio-codec language model (decoder only, own KV cache)."""
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(9)
DEV = "cuda"


class Block(nn.Module):
    def __init__(self, dim=512, heads=8):
        super().__init__()
        self.h = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, past):
        b, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        if past is not None:
            k = torch.cat([past[0], k], 2)
            v = torch.cat([past[1], v], 2)
        y = F.scaled_dot_product_attention(q, k, v)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.mlp(self.n2(x)), (k, v)


class CodecLM(nn.Module):
    def __init__(self, codes=1024, dim=512, depth=8):
        super().__init__()
        self.tok = nn.Embedding(codes, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.head = nn.Linear(dim, codes)

    def forward(self, ids, past):
        x = self.tok(ids) / math.sqrt(2)
        new = []
        for blk, p in zip(self.blocks, past):
            x, kv = blk(x, p)
            new.append(kv)
        return self.head(x[:, -1]), new


@torch.inference_mode()
def sample(model, streams, seconds, rate=75):
    ids = torch.randint(0, 1024, (streams, 1), device=DEV)
    past = [None] * len(model.blocks)
    out = [ids.cpu()]
    for t in range(int(seconds * rate)):
        logits, past = model(ids, past)
        ids = torch.multinomial(logits.softmax(-1), 1)
        out.append(ids.cpu())
        if t % 100 == 0:
            print(f"  {t} tokens", flush=True)
    return torch.cat(out, 1)


model = CodecLM().to(DEV).eval()
for seconds in (1, 2, 12):
    t0 = time.time()
    codes = sample(model, 64, seconds)
    print(seconds, "s of audio:", tuple(codes.shape), f"{time.time() - t0:.1f}s")
