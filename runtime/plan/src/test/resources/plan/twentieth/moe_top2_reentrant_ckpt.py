# Sparse mixture-of-experts language model (top-2, aux loss, z-loss), reentrant activation checkpointing per block
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

cfg = dict(vocab=16000, dim=512, heads=8, layers=6, experts=8, top_k=2, ff=1536, seq=512, batch=8,
           lr=3e-4, steps=4, aux=0.01, z=0.001, wd=0.1)
DEV = "cuda"


class RMSNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)).type_as(x) * self.w


class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.wqkv = nn.Linear(d, 3 * d, bias=False)
        self.wo = nn.Linear(d, d, bias=False)

    def forward(self, x, rope):
        B, T, D = x.shape
        q, k, v = self.wqkv(x).view(B, T, 3, self.h, D // self.h).permute(2, 0, 3, 1, 4)
        cos, sin = rope
        def rot(u):
            a, b = u.chunk(2, -1)
            return torch.cat([a * cos - b * sin, a * sin + b * cos], -1).type_as(u)
        y = F.scaled_dot_product_attention(rot(q), rot(k), v, is_causal=True)
        return self.wo(y.transpose(1, 2).reshape(B, T, D))


class Expert(nn.Module):
    def __init__(self, d, f):
        super().__init__()
        self.w1, self.w2, self.w3 = nn.Linear(d, f, bias=False), nn.Linear(f, d, bias=False), nn.Linear(d, f, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class MoE(nn.Module):
    def __init__(self, d, f, n, k):
        super().__init__()
        self.gate = nn.Linear(d, n, bias=False)
        self.experts = nn.ModuleList(Expert(d, f) for _ in range(n))
        self.k = k

    def forward(self, x):
        flat = x.reshape(-1, x.size(-1))
        logits = self.gate(flat).float()
        probs = logits.softmax(-1)
        w, idx = probs.topk(self.k, -1)
        w = w / w.sum(-1, keepdim=True)
        out = torch.zeros_like(flat, dtype=torch.float32)
        for e, expert in enumerate(self.experts):
            tok, slot = torch.where(idx == e)
            if tok.numel() == 0:
                continue
            y = expert(flat[tok]) * w[tok, slot, None]
            out = out.index_add(0, tok, y.float())
        load = F.one_hot(idx, len(self.experts)).float().sum(1).mean(0)
        aux = len(self.experts) * (load * probs.mean(0)).sum() / self.k
        return out.view_as(x).type_as(x), aux, logits.logsumexp(-1).square().mean()


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = RMSNorm(c["dim"]), RMSNorm(c["dim"])
        self.att = Attention(c["dim"], c["heads"])
        self.moe = MoE(c["dim"], c["ff"], c["experts"], c["top_k"])

    def forward(self, x, cos, sin):
        x = x + self.att(self.n1(x), (cos, sin))
        y, aux, z = self.moe(self.n2(x))
        return x + y, aux, z


class MoELM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.emb = nn.Embedding(c["vocab"], c["dim"])
        self.blocks = nn.ModuleList(Block(c) for _ in range(c["layers"]))
        self.norm, self.head = RMSNorm(c["dim"]), nn.Linear(c["dim"], c["vocab"], bias=False)
        hd = c["dim"] // c["heads"]
        ang = torch.outer(torch.arange(c["seq"]).float(), 10000 ** (-torch.arange(0, hd, 2).float() / hd))
        self.register_buffer("cos", ang.cos(), persistent=False)
        self.register_buffer("sin", ang.sin(), persistent=False)

    def forward(self, ids):
        x, aux, z = self.emb(ids), 0.0, 0.0
        for b in self.blocks:
            if self.training:
                x, a, zz = checkpoint(b, x, self.cos, self.sin, use_reentrant=True)
            else:
                x, a, zz = b(x, self.cos, self.sin)
            aux, z = aux + a, z + zz
        return self.head(self.norm(x)), aux / len(self.blocks), z / len(self.blocks)


def main():
    torch.manual_seed(88)
    model = MoELM(cfg).to(DEV)
    total = sum(p.numel() for p in model.parameters())
    print(f"total {total / 1e6:.0f}M parameters")
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["wd"], betas=(0.9, 0.95), foreach=False)
    for step in range(cfg["steps"]):
        ids = torch.randint(0, cfg["vocab"], (cfg["batch"], cfg["seq"] + 1), device=DEV)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits, aux, z = model(ids[:, :-1])
            ce = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        loss = ce + cfg["aux"] * aux + cfg["z"] * z
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} ce {ce.item():.4f} aux {aux.item():.3f} z {z.item():.2f}")
    model.eval()
    with torch.inference_mode(), torch.autocast("cuda", dtype=torch.bfloat16):
        ids = torch.randint(0, cfg["vocab"], (4, cfg["seq"]), device=DEV)
        print("eval ppl", F.cross_entropy(model(ids)[0][:, :-1].flatten(0, 1).float(), ids[:, 1:].flatten()).exp().item())
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


main()
