"""Small GPT with (a) block-wise 8-bit Adam written by hand and (b) selective activation checkpointing that keeps
matmul and attention outputs but recomputes the rest."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

VOCAB, CTX, D, LAYERS, HEADS = 20480, 1024, 768, 10, 12
BATCH, STEPS = 5, 5
BLOCK = 2048


class Adam8bit(torch.optim.Optimizer):
    """Moments are int8/uint8 with one float scale per block. Small tensors keep float32 moments."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @staticmethod
    def _q(x, signed):
        n = x.numel()
        flat = F.pad(x.flatten(), (0, -n % BLOCK)).view(-1, BLOCK)
        if not signed:
            flat = flat.sqrt()           # compress the range of the second moment
        scale = flat.abs().amax(1, keepdim=True).clamp(min=1e-12)
        if signed:
            return (flat / scale * 127).round().to(torch.int8), scale
        return (flat / scale * 255).round().to(torch.uint8), scale

    @staticmethod
    def _dq(code, scale, like, signed):
        flat = code.float().mul_(scale / (127 if signed else 255))
        if not signed:
            flat = flat.square_()
        return flat.view(-1)[: like.numel()].view_as(like)

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                s = self.state[p]
                small = p.numel() < 16384
                if not s:
                    s["t"] = 0
                    if small:
                        s["m"], s["v"] = torch.zeros_like(p), torch.zeros_like(p)
                    else:
                        s["m"], s["v"] = self._q(torch.zeros_like(p), True), self._q(torch.zeros_like(p), False)
                s["t"] += 1
                m = s["m"] if small else self._dq(*s["m"], p, True)
                v = s["v"] if small else self._dq(*s["v"], p, False)
                m.mul_(b1).add_(p.grad, alpha=1 - b1)
                v.mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                step_size = g["lr"] * math.sqrt(1 - b2 ** s["t"]) / (1 - b1 ** s["t"])
                p.mul_(1 - g["lr"] * g["weight_decay"])
                p.addcdiv_(m, v.sqrt().add_(g["eps"]), value=-step_size)
                if not small:
                    s["m"], s["v"] = self._q(m, True), self._q(v, False)


SAVE = {
    torch.ops.aten.mm.default,
    torch.ops.aten.addmm.default,
    torch.ops.aten._scaled_dot_product_flash_attention.default,
    torch.ops.aten._scaled_dot_product_efficient_attention.default,
}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in SAVE else CheckpointPolicy.PREFER_RECOMPUTE


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.qkv, self.o = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.up, self.down = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (z.view(b, t, HEADS, -1).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, t, D)
        x = x + self.o(a)
        return x + self.down(F.gelu(self.up(self.n2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCAB, D), nn.Embedding(CTX, D)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln = nn.LayerNorm(D)
        self.apply(lambda m: nn.init.normal_(m.weight, std=0.02) if isinstance(m, (nn.Linear, nn.Embedding)) else None)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe.weight[: ids.size(1)]
        for blk in self.blocks:
            x = checkpoint(blk, x, use_reentrant=False,
                           context_fn=lambda: create_selective_checkpoint_contexts(policy))
        return self.ln(x) @ self.wte.weight.T


def main():
    torch.manual_seed(88)
    net = GPT().to("cuda")
    opt = Adam8bit(net.parameters(), lr=3e-4, weight_decay=0.05)
    print(f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f}M parameters")
    for step in range(STEPS):
        data = torch.randint(0, VOCAB, (BATCH, CTX + 1), device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = net(data[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), data[:, 1:].flatten())
        del logits
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} loss {loss.item():.3f} now {torch.cuda.memory_allocated() / 2**20:.0f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
