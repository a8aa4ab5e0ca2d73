"""Decoder LM with top-2 mixture-of-experts layers and a block-wise 8-bit Adam written out in plain PyTorch."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, DIM, HEADS, LAYERS = 16_000, 512, 8, 6
EXPERTS, TOPK, FF = 8, 2, 1024
SEQ, BATCH, STEPS = 384, 8, 5
BLOCK = 2048


class Adam8bit(torch.optim.Optimizer):
    def __init__(self, params, lr=3e-4, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @staticmethod
    def quant(x, signed):
        pad = (-x.numel()) % BLOCK
        b = F.pad(x.flatten(), (0, pad)).view(-1, BLOCK)
        s = b.abs().amax(1, keepdim=True).clamp(min=1e-12)
        if signed:
            return (b / s * 127).round().to(torch.int8), s
        return ((b / s).sqrt() * 255).round().to(torch.uint8), s

    @staticmethod
    def dequant(q, s, shape, signed):
        v = q.float() / 127 * s if signed else (q.float() / 255).square() * s
        return v.flatten()[: math.prod(shape)].view(shape)

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["m"], st["ms"] = self.quant(torch.zeros_like(p), True)
                    st["v"], st["vs"] = self.quant(torch.zeros_like(p), False)
                st["t"] += 1
                m = self.dequant(st["m"], st["ms"], p.shape, True).lerp_(p.grad, 1 - b1)
                v = self.dequant(st["v"], st["vs"], p.shape, False).lerp_(p.grad.square(), 1 - b2)
                upd = (m / (1 - b1 ** st["t"])) / ((v / (1 - b2 ** st["t"])).sqrt() + g["eps"])
                if p.ndim > 1:
                    p.mul_(1 - g["lr"] * g["weight_decay"])
                p.add_(upd.clamp_(-3, 3), alpha=-g["lr"])
                st["m"], st["ms"] = self.quant(m, True)
                st["v"], st["vs"] = self.quant(v, False)


class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(DIM, EXPERTS, bias=False)
        self.w1 = nn.Parameter(torch.randn(EXPERTS, DIM, FF) / DIM**0.5)
        self.w2 = nn.Parameter(torch.randn(EXPERTS, FF, DIM) / FF**0.5)

    def forward(self, x):
        flat = x.reshape(-1, DIM)
        prob = self.gate(flat).float().softmax(-1)
        w, idx = prob.topk(TOPK, -1)
        w = w / w.sum(-1, keepdim=True)
        out = torch.zeros_like(flat)
        for e in range(EXPERTS):
            tok, slot = (idx == e).nonzero(as_tuple=True)
            if tok.numel() == 0:
                continue
            h = F.silu(flat[tok] @ self.w1[e]) @ self.w2[e]
            out = out.index_add(0, tok, (h * w[tok, slot, None]).to(out.dtype))
        load = F.one_hot(idx, EXPERTS).float().sum(1).mean(0) / TOPK
        aux = EXPERTS * (load * prob.mean(0)).sum()
        return out.view_as(x), aux


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)
        self.moe = MoE()

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, DIM))
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, DIM), nn.Embedding(SEQ, DIM)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm = nn.RMSNorm(DIM)

    def forward(self, ids, labels):
        x = self.tok(ids) + self.pos.weight[: ids.size(1)]
        aux = 0.0
        for b in self.blocks:
            x, a = b(x)
            aux = aux + a
        logits = F.linear(self.norm(x), self.tok.weight)
        return F.cross_entropy(logits.float().view(-1, VOCAB), labels.reshape(-1)), aux / LAYERS


def main():
    torch.manual_seed(55)
    device = "cuda"
    model = LM().to(device)
    nn.init.normal_(model.tok.weight, std=0.02)
    opt = Adam8bit(model.parameters())
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f} M parameters")
    for step in range(STEPS):
        ids = torch.randint(0, VOCAB, (BATCH, SEQ + 1), device=device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            ce, aux = model(ids[:, :-1], ids[:, 1:])
        loss = ce + 0.01 * aux
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"step {step} ce {ce.item():.4f} aux {aux.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    state = sum(t.numel() * t.element_size() for s in opt.state.values() for t in s.values() if torch.is_tensor(t))
    print(f"optimizer state {state / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
