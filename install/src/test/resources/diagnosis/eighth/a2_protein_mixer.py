# limit: 6
# "sequence length 1024 trains in 500 MB, 6144 does not fit in 6 GB"
import math

import torch
import torch.nn as nn

torch.manual_seed(18)


class SelfAttention(nn.Module):
    def __init__(self, dim=512, heads=8):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)
        weights = scores.softmax(dim=-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, dim=512):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class ProteinModel(nn.Module):
    def __init__(self, layers=4, dim=512):
        super().__init__()
        self.emb = nn.Embedding(25, dim)
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(layers)])
        self.out = nn.Linear(dim, 25)

    def forward(self, seq):
        return self.out(self.blocks(self.emb(seq)))


model = ProteinModel().to("cuda")
opt = torch.optim.AdamW(model.parameters())
for length in (512, 1024, 6144):
    seq = torch.randint(0, 25, (2, length), device="cuda")
    loss = nn.functional.cross_entropy(model(seq).flatten(0, 1), seq.flatten())
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(length, loss.item(), torch.cuda.max_memory_allocated() >> 20, "MiB")
