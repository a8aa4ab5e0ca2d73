"""Sparse mixture of experts LM: top-2 routing with capacity, load-balance and z losses, bf16 autocast."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Hparams:
    vocab: int = 12000
    d: int = 512
    ff: int = 1024
    layers: int = 5
    heads: int = 8
    experts: int = 12
    capacity: float = 1.25
    seq: int = 256
    batch: int = 20
    steps: int = 6
    lr: float = 3e-4
    aux: float = 1e-2
    z: float = 1e-3


class Experts(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(h.experts, h.d, h.ff) * h.d ** -0.5)
        self.w2 = nn.Parameter(torch.randn(h.experts, h.ff, h.d) * h.ff ** -0.5)

    def forward(self, x):
        return torch.bmm(F.gelu(torch.bmm(x, self.w1)), self.w2)


class MoE(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.h = h
        self.router = nn.Linear(h.d, h.experts, bias=False)
        self.experts = Experts(h)

    def forward(self, x):
        h = self.h
        flat = x.reshape(-1, h.d)
        n = flat.size(0)
        cap = int(h.capacity * 2 * n / h.experts)
        with torch.autocast("cuda", enabled=False):
            logits = F.linear(flat.float(), self.router.weight.float())
        probs = logits.softmax(-1)
        top_p, top_e = probs.topk(2, -1)
        top_p = top_p / top_p.sum(-1, keepdim=True)
        # position of every assignment within its expert, first choices go first
        e = torch.cat([top_e[:, 0], top_e[:, 1]])
        w = torch.cat([top_p[:, 0], top_p[:, 1]])
        tok = torch.arange(n, device=x.device).repeat(2)
        onehot = F.one_hot(e, h.experts)
        pos = (onehot.cumsum(0) - 1).gather(1, e[:, None]).squeeze(1)
        keep = pos < cap
        slot = (e * cap + pos)[keep]
        buf = flat.new_zeros(h.experts * cap, h.d)
        buf = buf.index_copy(0, slot, flat[tok[keep]])
        y = self.experts(buf.view(h.experts, cap, h.d)).reshape(-1, h.d)
        out = torch.zeros_like(flat).index_add(0, tok[keep], (y[slot] * w[keep, None]).to(flat.dtype))
        frac = onehot[:n].float().mean(0)
        balance = h.experts * (frac * probs.mean(0)).sum()
        zloss = torch.logsumexp(logits, -1).pow(2).mean()
        return out.view_as(x), balance, zloss, 1 - keep.float().mean()


class Layer(nn.Module):
    def __init__(self, h, moe):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(h.d), nn.LayerNorm(h.d)
        self.qkv, self.o = nn.Linear(h.d, 3 * h.d), nn.Linear(h.d, h.d)
        self.moe = MoE(h) if moe else None
        self.mlp = None if moe else nn.Sequential(nn.Linear(h.d, 4 * h.d), nn.GELU(), nn.Linear(4 * h.d, h.d))
        self.heads = h.heads

    def forward(self, x, stats):
        B, T, D = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        x = x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, D))
        if self.moe is None:
            return x + self.mlp(self.n2(x))
        y, bal, z, drop = self.moe(self.n2(x))
        stats.append((bal, z, drop))
        return x + y


class LM(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.tok, self.pos = nn.Embedding(h.vocab, h.d), nn.Embedding(h.seq, h.d)
        self.layers = nn.ModuleList(Layer(h, i % 2 == 1) for i in range(h.layers))
        self.norm, self.head = nn.LayerNorm(h.d), nn.Linear(h.d, h.vocab, bias=False)

    def forward(self, ids):
        stats = []
        x = self.tok(ids) + self.pos.weight[:ids.size(1)]
        for layer in self.layers:
            x = layer(x, stats)
        return self.head(self.norm(x)), [torch.stack(s).mean() for s in zip(*stats)]


if __name__ == "__main__":
    h = Hparams()
    torch.manual_seed(88)
    model = LM(h).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=h.lr, betas=(0.9, 0.95), fused=True)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")
    for step in range(h.steps):
        ids = torch.randint(0, h.vocab, (h.batch, h.seq + 1), device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits, (bal, z, drop) = model(ids[:, :-1])
            ce = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
            loss = ce + h.aux * bal + h.z * z
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"{step} ce {ce.item():.3f} balance {bal.item():.3f} z {z.item():.2f} dropped {drop.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
