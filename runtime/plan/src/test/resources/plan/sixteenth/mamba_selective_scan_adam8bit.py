"""Mamba-like language model in plain PyTorch, selective checkpointing (matmuls kept), block-wise 8-bit Adam."""
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

VOCAB, D, N_LAYER, D_STATE, D_CONV, EXPAND = 12000, 512, 4, 16, 4, 2
BATCH, SEQ, STEPS = 8, 160, 4
DEV = "cuda"

KEEP = {torch.ops.aten.mm.default, torch.ops.aten.addmm.default, torch.ops.aten.bmm.default}


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.MUST_SAVE if op in KEEP else CheckpointPolicy.PREFER_RECOMPUTE


class MambaBlock(nn.Module):
    def __init__(self):
        super().__init__()
        di = EXPAND * D
        self.norm = nn.RMSNorm(D)
        self.in_proj = nn.Linear(D, 2 * di, bias=False)
        self.conv = nn.Conv1d(di, di, D_CONV, groups=di, padding=D_CONV - 1)
        self.rank = D // 16
        self.x_proj = nn.Linear(di, self.rank + 2 * D_STATE, bias=False)
        self.dt_proj = nn.Linear(self.rank, di)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, D_STATE + 1).float()).repeat(di, 1))
        self.skip = nn.Parameter(torch.ones(di))
        self.out_proj = nn.Linear(di, D, bias=False)

    def scan(self, u, dt, A, B, C):
        dA = torch.exp(dt[..., None] * A)
        dBu = (dt * u)[..., None] * B[:, :, None, :]
        h = torch.zeros_like(dA[:, 0])
        ys = []
        for t in range(u.size(1)):
            h = dA[:, t] * h + dBu[:, t]
            ys.append((h * C[:, t, None, :]).sum(-1))
        return torch.stack(ys, 1)

    def forward(self, x):
        u, z = self.in_proj(self.norm(x)).chunk(2, -1)
        u = self.conv(u.transpose(1, 2))[..., : x.size(1)].transpose(1, 2)
        u = F.silu(u)
        dt, B, C = self.x_proj(u).split([self.rank, D_STATE, D_STATE], -1)
        dt = F.softplus(self.dt_proj(dt))
        y = self.scan(u, dt, -torch.exp(self.A_log), B, C) + u * self.skip
        return x + self.out_proj(y * F.silu(z))


class MambaLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, D)
        self.blocks = nn.ModuleList(MambaBlock() for _ in range(N_LAYER))
        self.norm = nn.RMSNorm(D)
        self.head = nn.Linear(D, VOCAB, bias=False)
        self.head.weight = self.emb.weight
        nn.init.normal_(self.emb.weight, std=0.02)

    def forward(self, ids):
        x = self.emb(ids)
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False,
                           context_fn=partial(create_selective_checkpoint_contexts, policy))
        return self.head(self.norm(x))


class Adam8bit(torch.optim.Optimizer):
    """Moments kept as uint8/int8 with one scale per block of 256 values."""
    BLOCK = 256

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.95), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def _quant(self, v, signed):
        pad = -v.numel() % self.BLOCK
        b = F.pad(v.flatten(), (0, pad)).view(-1, self.BLOCK)
        scale = b.abs().amax(1, keepdim=True).clamp_min(1e-12)
        q = (b / scale * 127).round().to(torch.int8) if signed else ((b / scale).sqrt() * 255).round().to(torch.uint8)
        return q, scale

    def _dequant(self, q, scale, like):
        f = q.float()
        f = f / 127 * scale if q.dtype == torch.int8 else (f / 255).square() * scale
        return f.flatten()[: like.numel()].view_as(like)

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
                    st["m"], st["v"] = self._quant(torch.zeros_like(p), True), self._quant(torch.zeros_like(p), False)
                st["t"] += 1
                m = self._dequant(*st["m"], p).mul_(b1).add_(p.grad, alpha=1 - b1)
                v = self._dequant(*st["v"], p).mul_(b2).addcmul_(p.grad, p.grad, value=1 - b2)
                mh, vh = m / (1 - b1 ** st["t"]), v / (1 - b2 ** st["t"])
                p.addcdiv_(mh, vh.sqrt().add_(g["eps"]), value=-g["lr"])
                st["m"], st["v"] = self._quant(m, True), self._quant(v, False)


def main():
    torch.manual_seed(0)
    model = MambaLM().to(DEV)
    opt = Adam8bit(model.parameters(), lr=1e-3)
    for step in range(STEPS):
        ids = torch.randint(0, VOCAB, (BATCH, SEQ + 1), device=DEV)
        logits = model(ids[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
        print(f"step {step} loss {loss.item():.4f} alloc {torch.cuda.memory_allocated() / 2**20:.0f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
