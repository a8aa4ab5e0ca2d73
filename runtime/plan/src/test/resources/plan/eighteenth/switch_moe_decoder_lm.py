"""Decoder LM with top-2 mixture-of-experts FFNs (token routing by sort + index_add), aux balance and z losses."""
import dataclasses
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclasses.dataclass
class Cfg:
    vocab: int = 16384
    d: int = 512
    layers: int = 6
    heads: int = 8
    experts: int = 8
    top_k: int = 2
    ffn: int = 1024
    ctx: int = 512
    batch: int = 8
    steps: int = 5
    balance: float = 0.01
    zloss: float = 1e-3


class Experts(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.gate = nn.Linear(c.d, c.experts, bias=False)
        self.w1 = nn.Parameter(torch.randn(c.experts, c.d, c.ffn) * c.d ** -0.5)
        self.w3 = nn.Parameter(torch.randn(c.experts, c.d, c.ffn) * c.d ** -0.5)
        self.w2 = nn.Parameter(torch.randn(c.experts, c.ffn, c.d) * c.ffn ** -0.5)

    def forward(self, x):
        shape = x.shape
        x = x.reshape(-1, shape[-1])
        logits = self.gate(x).float()
        probs = logits.softmax(-1)
        weight, pick = probs.topk(self.c.top_k, dim=-1)
        weight = weight / weight.sum(-1, keepdim=True)
        frac = F.one_hot(pick[:, 0], self.c.experts).float().mean(0)
        aux = self.c.balance * self.c.experts * (frac * probs.mean(0)).sum()
        aux = aux + self.c.zloss * logits.logsumexp(-1).pow(2).mean()

        flat = pick.flatten()
        order = flat.argsort(stable=True)
        token = order // self.c.top_k
        counts = torch.bincount(flat, minlength=self.c.experts).tolist()
        out = torch.zeros_like(x)
        wflat = weight.flatten()[order].to(x.dtype)
        start = 0
        for e, n in enumerate(counts):
            if n:
                rows = token[start:start + n]
                h = x[rows]
                h = (F.silu(h @ self.w1[e]) * (h @ self.w3[e])) @ self.w2[e]
                out.index_add_(0, rows, (h * wflat[start:start + n, None]).to(out.dtype))
            start += n
        return out.view(shape), aux


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.n1, self.n2 = nn.RMSNorm(c.d), nn.RMSNorm(c.d)
        self.qkv, self.o = nn.Linear(c.d, 3 * c.d, bias=False), nn.Linear(c.d, c.d, bias=False)
        self.moe = Experts(c)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, self.c.heads, -1).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, d))
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class MoELM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.d)
        self.pos = nn.Embedding(c.ctx, c.d)
        self.layers = nn.ModuleList(Layer(c) for _ in range(c.layers))
        self.norm = nn.RMSNorm(c.d)
        self.head = nn.Linear(c.d, c.vocab, bias=False)
        nn.init.normal_(self.tok.weight, std=0.02)
        nn.init.normal_(self.pos.weight, std=0.02)

    def forward(self, ids, targets):
        x = self.tok(ids) + self.pos.weight[: ids.size(1)]
        aux = 0.0
        for layer in self.layers:
            x, a = layer(x)
            aux = aux + a
        ce = F.cross_entropy(self.head(self.norm(x)).flatten(0, 1).float(), targets.flatten())
        return ce, aux


def lr_at(step, total, peak=6e-4):
    return peak * min(1.0, (step + 1) / 2) * 0.5 * (1 + math.cos(math.pi * step / total))


def main():
    c = Cfg()
    torch.manual_seed(64)
    device = "cuda"
    model = MoELM(c).to(device)
    n = sum(p.numel() for p in model.parameters())
    act = n - sum(p.numel() for m in model.modules() if isinstance(m, Experts) for p in (m.w1, m.w2, m.w3)) \
        * (1 - c.top_k / c.experts)
    print(f"{n / 1e6:.0f}M parameters, {act / 1e6:.0f}M active per token")
    opt = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1)
    for step in range(c.steps):
        for g in opt.param_groups:
            g["lr"] = lr_at(step, c.steps)
        data = torch.randint(0, c.vocab, (c.batch, c.ctx + 1), device=device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            ce, aux = model(data[:, :-1], data[:, 1:])
        opt.zero_grad()
        (ce + aux).backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"step {step} ce {ce.item():.3f} aux {aux.item():.4f} norm {norm.item():.2f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
