# limit: 2
"""Greedy decoding with a hand-written KV cache, batch of 64 prompts."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)

    def forward(self, x, past):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=past is None)
        return self.o(y.transpose(1, 2).reshape(b, t, d)), (k, v)


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = Attention(d, heads)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x, past):
        a, past = self.attn(self.n1(x), past)
        x = x + a
        return x + self.mlp(self.n2(x)), past


class LM(nn.Module):
    def __init__(self, vocab=16000, d=768, layers=12, heads=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(Block(d, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(d)

    def forward(self, ids, cache):
        x = self.emb(ids)
        new = []
        for blk, past in zip(self.blocks, cache or [None] * len(self.blocks)):
            x, kv = blk(x, past)
            new.append(kv)
        return self.norm(x[:, -1]) @ self.emb.weight.T, new


torch.manual_seed(3)
lm = LM().to("cuda").eval()
ids = torch.randint(0, 16000, (64, 32), device="cuda")
generated, cache = [], None
with torch.no_grad():
    for step in range(1500):
        logits, cache = lm(ids, cache)
        ids = logits.argmax(-1, keepdim=True)
        generated.append(ids.cpu())
print(torch.cat(generated, 1).shape)
