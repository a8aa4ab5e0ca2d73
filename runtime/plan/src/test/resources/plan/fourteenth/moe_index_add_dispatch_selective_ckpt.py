"""Sparse mixture-of-experts decoder: top-2 routing by index_add, z-loss, selective activation checkpointing, pure bf16 + Kahan AdamW."""
from functools import partial
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

torch.manual_seed(88)
DEV = "cuda"
BATCH = 8
SEQ = 512
DIM = 512
EXPERTS = 8
FF = 1024
LAYERS = 5
VOCAB = 8192
STEPS = 5

SAVE = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in SAVE else CheckpointPolicy.PREFER_RECOMPUTE


class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(DIM, EXPERTS, bias=False)
        self.w1 = nn.Parameter(torch.randn(EXPERTS, DIM, FF) * DIM**-0.5)
        self.w2 = nn.Parameter(torch.randn(EXPERTS, FF, DIM) * FF**-0.5)

    def forward(self, x):
        flat = x.reshape(-1, DIM)
        logits = self.gate(flat).float()
        probs = logits.softmax(-1)
        w, idx = probs.topk(2, -1)
        w = (w / w.sum(-1, keepdim=True)).to(x.dtype)
        out = torch.zeros_like(flat)
        for e in range(EXPERTS):
            tok, slot = torch.where(idx == e)
            h = F.gelu(flat[tok] @ self.w1[e]) @ self.w2[e]
            out = out.index_add(0, tok, h * w[tok, slot, None])
        load = F.one_hot(idx, EXPERTS).float().mean((0, 1))
        aux = EXPERTS * (load * probs.mean(0)).sum() + 1e-3 * logits.logsumexp(-1).pow(2).mean()
        return out.view_as(x), aux


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)
        self.moe = MoE()

    def attn(self, x):
        B, N, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, N, 3, 8, DIM // 8).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.o(y.transpose(1, 2).reshape(B, N, DIM))

    def forward(self, x):
        x = checkpoint(self.attn, x, use_reentrant=False, context_fn=partial(create_selective_checkpoint_contexts, policy))
        y, aux = self.moe(self.n2(x))
        return x + y, aux


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = nn.RMSNorm(DIM), nn.Linear(DIM, VOCAB, bias=False)

    def forward(self, ids):
        x, aux = self.emb(ids), 0.0
        for l in self.layers:
            x, a = l(x)
            aux = aux + a
        return self.head(self.norm(x)), aux / LAYERS


class KahanAdamW(torch.optim.Optimizer):
    def __init__(self, params, lr=3e-4, betas=(0.9, 0.95), eps=1e-8, wd=0.1):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, wd=wd))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                if not s:
                    s.update(t=0, m=torch.zeros_like(p), v=torch.zeros_like(p), c=torch.zeros_like(p))
                s["t"] += 1
                s["m"].lerp_(p.grad, 1 - b1)
                s["v"].mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                den = (s["v"] / (1 - b2 ** s["t"])).sqrt_().add_(g["eps"])
                upd = (s["m"] / (1 - b1 ** s["t"])).div_(den).add_(p, alpha=g["wd"]).mul_(-g["lr"])
                s["c"].add_(upd)
                old = p.clone()
                p.add_(s["c"])
                s["c"].add_(old.sub_(p))


model = Model().to(DEV, torch.bfloat16)
print(sum(p.numel() for p in model.parameters()) / 1e6, "M parameters")
opt = KahanAdamW(model.parameters())
for step in range(STEPS):
    base = torch.randint(0, VOCAB, (BATCH, SEQ // 4), device=DEV)
    ids = base.repeat(1, 4)
    logits, aux = model(ids)
    ce = F.cross_entropy(logits[:, :-1].flatten(0, 1).float(), ids[:, 1:].flatten())
    (ce + 0.01 * aux).backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    print(f"step {step} ce {ce.item():.4f} aux {aux.item():.3f}")
print("peak GiB", torch.cuda.max_memory_allocated() / 2**30)
