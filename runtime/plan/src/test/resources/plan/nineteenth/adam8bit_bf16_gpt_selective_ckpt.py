"""Pure-bf16 GPT with our own blockwise 8-bit Adam (stochastic rounding) and selective activation checkpointing:
attention results are kept, half of the matmuls too, everything else is recomputed."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

DIM, LAYERS, HEADS, VOCAB = 1280, 14, 20, 32768
BATCH, CTX, STEPS = 4, 768, 5
BLOCK = 256
device, dtype = "cuda", torch.bfloat16
aten = torch.ops.aten


def quantize(x, signed):
    flat = F.pad(x.flatten(), (0, -x.numel() % BLOCK)).view(-1, BLOCK)
    scale = flat.abs().amax(1, keepdim=True).clamp_min(1e-12)
    n = flat / scale
    # square-root companding keeps small values alive
    n = n.sign() * n.abs().sqrt()
    q = (n * 127).round().to(torch.int8) if signed else (n * 255).round().to(torch.uint8)
    return q, scale


def dequantize(q, scale, shape, signed):
    n = q.float() / (127 if signed else 255)
    x = (n * n.abs() * scale).flatten()
    return x[: shape.numel()].view(shape)


def stochastic_round_(dst, src):
    """fp32 -> bf16: add noise to the 16 bits that are cut off"""
    bits = src.contiguous().view(torch.int32)
    noise = torch.randint_like(bits, 0, 1 << 16)
    dst.copy_(((bits + noise) & -65536).view(torch.float32))


class Adam8bit(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                grad = p.grad.float()
                if not st:
                    st["t"] = 0
                    m, v = torch.zeros_like(grad), torch.zeros_like(grad)
                else:
                    m = dequantize(*st["m"], p.shape, True)
                    v = dequantize(*st["v"], p.shape, False)
                st["t"] += 1
                m.lerp_(grad, 1 - b1)
                v.mul_(b2).addcmul_(grad, grad, value=1 - b2)
                upd = (m / (1 - b1 ** st["t"])) / ((v / (1 - b2 ** st["t"])).sqrt() + g["eps"])
                new = p.float()
                if p.ndim > 1:
                    new.mul_(1 - g["lr"] * g["weight_decay"])
                stochastic_round_(p, new.add_(upd, alpha=-g["lr"]))
                st["m"], st["v"] = quantize(m, True), quantize(v, False)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)
        self.up, self.down = nn.Linear(DIM, 4 * DIM, bias=False), nn.Linear(4 * DIM, DIM, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, t, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(b, t, DIM))
        return x + self.down(F.relu(self.up(self.n2(x))).square())


def make_context():
    seen = {"mm": 0}
    keep = {aten._scaled_dot_product_flash_attention.default, aten._scaled_dot_product_efficient_attention.default,
            aten._scaled_dot_product_cudnn_attention.default}

    def policy(ctx, op, *a, **k):
        if op in keep:
            return CheckpointPolicy.MUST_SAVE
        if op == aten.mm.default and not ctx.is_recompute:
            seen["mm"] += 1
        if op == aten.mm.default and ctx.is_recompute:
            seen["re"] = seen.get("re", 0) + 1
        n = seen.get("re", 0) if ctx.is_recompute else seen["mm"]
        if op == aten.mm.default and n % 2 == 0:
            return CheckpointPolicy.MUST_SAVE
        return CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(policy)


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, DIM), nn.Embedding(CTX, DIM)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(DIM)
        self.apply(lambda m: nn.init.normal_(m.weight, std=0.02) if isinstance(m, (nn.Linear, nn.Embedding)) else None)

    def forward(self, ids):
        x = self.tok(ids[:, :-1]) + self.pos.weight[: ids.shape[1] - 1]
        run = functools.partial(checkpoint, use_reentrant=False, context_fn=make_context)
        for blk in self.blocks:
            x = run(blk, x)
        logits = F.linear(self.norm(x), self.tok.weight)
        return F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())


torch.manual_seed(5)
with torch.device(device):
    model = GPT().to(dtype)
opt = Adam8bit(model.parameters(), lr=3e-4)
print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f}M, {torch.cuda.memory_allocated() / 2**20:.0f} MiB of weights")
torch.cuda.reset_peak_memory_stats()
for step in range(STEPS):
    ids = (torch.rand(BATCH, CTX + 1, device=device).pow(3) * VOCAB).long()
    loss = model(ids)
    loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
    print(f"{step} {loss.item():.4f} held {torch.cuda.memory_allocated() / 2**20:.0f} "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
state = sum(t.numel() * t.element_size() for s in opt.state.values() for k in ("m", "v") for t in s[k])
print(f"optimizer state {state / 2**20:.0f} MiB")
