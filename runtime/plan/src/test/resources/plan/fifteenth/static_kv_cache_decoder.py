"""Minimal inference engine: preallocated KV cache, RoPE, GQA, prefill in chunks, greedy decoding in bf16."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class ModelArgs:
    dim: int = 2048
    n_layers: int = 12
    n_heads: int = 16
    n_kv_heads: int = 4
    vocab_size: int = 32000
    ffn_dim: int = 5632
    max_batch: int = 16
    max_seq: int = 1024
    prefill_chunk: int = 256


def rope_table(head_dim, max_seq, theta=10000.0):
    freqs = 1.0 / theta ** (torch.arange(0, head_dim, 2).float() / head_dim)
    ang = torch.outer(torch.arange(max_seq).float(), freqs)
    return torch.polar(torch.ones_like(ang), ang)


def apply_rope(x, table):
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(xc * table[None, :, None]).flatten(-2).type_as(x)


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        h = x.float()
        return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-5)).type_as(x) * self.weight


class Attention(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a, self.hd = a, a.dim // a.n_heads
        self.wq = nn.Linear(a.dim, a.n_heads * self.hd, bias=False)
        self.wk = nn.Linear(a.dim, a.n_kv_heads * self.hd, bias=False)
        self.wv = nn.Linear(a.dim, a.n_kv_heads * self.hd, bias=False)
        self.wo = nn.Linear(a.n_heads * self.hd, a.dim, bias=False)
        self.register_buffer("cache_k", torch.zeros(a.max_batch, a.max_seq, a.n_kv_heads, self.hd), persistent=False)
        self.register_buffer("cache_v", torch.zeros(a.max_batch, a.max_seq, a.n_kv_heads, self.hd), persistent=False)

    def forward(self, x, start, table, mask):
        b, t, _ = x.shape
        q = apply_rope(self.wq(x).view(b, t, -1, self.hd), table)
        k = apply_rope(self.wk(x).view(b, t, -1, self.hd), table)
        self.cache_k[:b, start:start + t] = k
        self.cache_v[:b, start:start + t] = self.wv(x).view(b, t, -1, self.hd)
        rep = self.a.n_heads // self.a.n_kv_heads
        keys = self.cache_k[:b, :start + t].repeat_interleave(rep, dim=2)
        vals = self.cache_v[:b, :start + t].repeat_interleave(rep, dim=2)
        o = F.scaled_dot_product_attention(q.transpose(1, 2), keys.transpose(1, 2), vals.transpose(1, 2), attn_mask=mask)
        return self.wo(o.transpose(1, 2).reshape(b, t, -1))


class Block(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.attn, self.n1, self.n2 = Attention(a), RMSNorm(a.dim), RMSNorm(a.dim)
        self.w1 = nn.Linear(a.dim, a.ffn_dim, bias=False)
        self.w2 = nn.Linear(a.ffn_dim, a.dim, bias=False)
        self.w3 = nn.Linear(a.dim, a.ffn_dim, bias=False)

    def forward(self, x, *args):
        x = x + self.attn(self.n1(x), *args)
        h = self.n2(x)
        return x + self.w2(F.silu(self.w1(h)) * self.w3(h))


class Decoder(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.emb = nn.Embedding(a.vocab_size, a.dim)
        self.layers = nn.ModuleList([Block(a) for _ in range(a.n_layers)])
        self.norm, self.head = RMSNorm(a.dim), nn.Linear(a.dim, a.vocab_size, bias=False)
        self.rope = None

    @torch.inference_mode()
    def forward(self, tokens, start):
        t = tokens.size(1)
        mask = None
        if t > 1:
            mask = torch.full((t, start + t), float("-inf"), device=tokens.device, dtype=self.head.weight.dtype).triu(start + 1)
        x = self.emb(tokens)
        for layer in self.layers:
            x = layer(x, start, self.rope[start:start + t], mask)
        return self.head(self.norm(x[:, -1]))


def main():
    torch.manual_seed(0)
    a = ModelArgs()
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = Decoder(a).eval()
    torch.set_default_dtype(torch.float32)
    model.rope = rope_table(a.dim // a.n_heads, a.max_seq).to("cuda")
    print(f"weights + cache {torch.cuda.memory_allocated() / 2**20:.0f} MiB")

    prompt = torch.randint(0, a.vocab_size, (a.max_batch, a.max_seq * 3 // 4), device="cuda")
    pos = 0
    for chunk in prompt.split(a.prefill_chunk, dim=1):
        logits = model(chunk, pos)
        pos += chunk.size(1)
    print(f"after prefill of {pos}: peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    out = []
    for _ in range(32):
        nxt = logits.argmax(-1, keepdim=True)
        out.append(nxt)
        logits = model(nxt, pos)
        pos += 1
    out = torch.cat(out, 1)
    print("generated", tuple(out.shape), out[0, :8].tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
