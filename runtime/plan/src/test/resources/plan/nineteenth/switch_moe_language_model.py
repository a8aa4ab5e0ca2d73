"""Decoder-only LM with top-2 mixture-of-experts layers (sort-based dispatch, capacity limit, load-balancing loss)."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

DIM, LAYERS, HEADS, EXPERTS, TOPK = 512, 6, 8, 8, 2
FF = 1408
CAPACITY = 1.25
VOCAB, CTX, BATCH, STEPS = 16000, 512, 8, 6
device = "cuda"
torch.manual_seed(88)


class RMSNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return (x.float() * torch.rsqrt(x.float().square().mean(-1, keepdim=True) + 1e-6)).type_as(x) * self.w


def rope(x):
    t, d = x.shape[-2], x.shape[-1]
    f = 10000 ** (-torch.arange(0, d, 2, device=x.device) / d)
    a = torch.arange(t, device=x.device)[:, None] * f
    c, s = a.cos().type_as(x), a.sin().type_as(x)
    x1, x2 = x.chunk(2, -1)
    return torch.cat([x1 * c - x2 * s, x1 * s + x2 * c], -1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(rope(q), rope(k), v, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(b, t, DIM))


class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(DIM, EXPERTS, bias=False)
        self.w1 = nn.Parameter(torch.randn(EXPERTS, DIM, 2 * FF) * DIM**-0.5)
        self.w2 = nn.Parameter(torch.randn(EXPERTS, FF, DIM) * FF**-0.5)

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, DIM)
        n = len(x)
        with torch.autocast(device, enabled=False):
            probs = F.linear(x.float(), self.router.weight).softmax(-1)
        gate, idx = probs.topk(TOPK, -1)
        gate = gate / gate.sum(-1, keepdim=True)
        self.aux = EXPERTS * (F.one_hot(idx[:, 0], EXPERTS).float().mean(0) * probs.mean(0)).sum()
        cap = int(CAPACITY * TOPK * n / EXPERTS)
        flat = idx.flatten()
        order = flat.argsort(stable=True)
        sorted_e = flat[order]
        start = torch.searchsorted(sorted_e, torch.arange(EXPERTS, device=x.device))
        rank = torch.arange(len(flat), device=x.device) - start[sorted_e]
        keep = rank < cap
        tok, slot = order[keep] // TOPK, (sorted_e * cap + rank)[keep]
        inp = x.new_zeros(EXPERTS * cap, DIM).index_copy(0, slot, x[tok]).view(EXPERTS, cap, DIM)
        a, b = torch.bmm(inp, self.w1).chunk(2, -1)
        out = torch.bmm(F.silu(a) * b, self.w2).view(-1, DIM)[slot]
        out = out * gate.flatten()[order[keep]][:, None].type_as(out)
        self.dropped = 1 - keep.float().mean()
        return torch.zeros_like(x, dtype=out.dtype).index_add(0, tok, out).view(shape)


class Block(nn.Module):
    def __init__(self, moe):
        super().__init__()
        self.n1, self.n2, self.att = RMSNorm(DIM), RMSNorm(DIM), Attention()
        self.ff = MoE() if moe else nn.Sequential(nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))

    def forward(self, x):
        x = x + self.att(self.n1(x))
        return x + self.ff(self.n2(x))


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.blocks = nn.ModuleList(Block(i % 2 == 1) for i in range(LAYERS))
        self.norm, self.head = RMSNorm(DIM), nn.Linear(DIM, VOCAB, bias=False)

    def forward(self, ids):
        x = self.emb(ids[:, :-1])
        for b in self.blocks:
            x = b(x)
        ce = F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), ids[:, 1:].flatten())
        moes = [b.ff for b in self.blocks if isinstance(b.ff, MoE)]
        return ce, sum(m.aux for m in moes) / len(moes), sum(m.dropped for m in moes) / len(moes)


model = LM().to(device)
n_all = sum(p.numel() for p in model.parameters())
n_exp = sum(p.numel() for n, p in model.named_parameters() if n.endswith(("w1", "w2")))
print(f"{n_all / 1e6:.0f}M parameters, active {(n_all - n_exp * (1 - TOPK / EXPERTS)) / 1e6:.0f}M")
opt = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), weight_decay=0.1, foreach=True)
for step in range(STEPS):
    for g in opt.param_groups:
        g["lr"] = 3e-4 * min(1, (step + 1) / 3) * 0.5 * (1 + math.cos(math.pi * step / STEPS))
    ids = (torch.rand(BATCH, CTX + 1, device=device).pow(2) * VOCAB).long()
    with torch.autocast(device, dtype=torch.bfloat16):
        ce, aux, dropped = model(ids)
    (ce + 0.01 * aux).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    print(f"{step} ce {ce.item():.4f} aux {aux.item():.3f} dropped {100 * dropped.item():.1f}% "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
