# limit: 1.4
"""Music structure analysis on long excerpts, with activation checkpointing."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.manual_seed(14)
device = torch.device("cuda")


class Layer(nn.Module):
    def __init__(self, dim=256, heads=4):
        super().__init__()
        self.n1, self.n2, self.h = nn.LayerNorm(dim), nn.LayerNorm(dim), heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
        x = x + self.proj(a)
        return x + self.ff(self.n2(x))


class Structure(nn.Module):
    def __init__(self, depth=24, dim=256, parts=9):
        super().__init__()
        self.inp, self.out = nn.Linear(128, dim), nn.Linear(dim, parts)
        self.layers = nn.ModuleList(Layer(dim) for _ in range(depth))

    def forward(self, mel):
        h = self.inp(mel)
        for layer in self.layers:
            h = checkpoint(layer, h, use_reentrant=False)
        return self.out(h)


def songs(n, bs=4, frames=4096):
    for _ in range(n):
        mel = torch.randn(bs, frames, 128, device=device)
        yield mel, torch.randint(0, 9, (bs, frames), device=device)


model = Structure().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=2e-4)
for epoch in range(2):
    torch.cuda.reset_peak_memory_stats()
    for mel, part in songs(5):
        loss = F.cross_entropy(model(mel).flatten(0, 1), part.flatten())
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB", flush=True)
