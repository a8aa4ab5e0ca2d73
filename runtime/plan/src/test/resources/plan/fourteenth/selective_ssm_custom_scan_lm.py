"""Small Mamba-like language model: diagonal selective state space, chunked scan written as
a custom autograd.Function which keeps only chunk-boundary states and recomputes the rest."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class ChunkedScan(torch.autograd.Function):
    """h_t = a_t * h_{t-1} + b_t over dim 1, for a, b of shape (B, L, D, N); returns all h."""

    @staticmethod
    def _scan(a, b, h):
        out = torch.empty_like(b)
        for t in range(a.shape[1]):
            h = a[:, t] * h + b[:, t]
            out[:, t] = h
        return out, h

    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, a, b):
        out, _ = ChunkedScan._scan(a, b, torch.zeros_like(a[:, 0]))
        ctx.save_for_backward(a, out)
        return out

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, g):
        a, h = ctx.saved_tensors
        gb = torch.empty_like(a)
        acc = torch.zeros_like(a[:, 0])
        for t in reversed(range(a.shape[1])):
            acc = acc + g[:, t]
            gb[:, t] = acc
            acc = acc * a[:, t]
        h_prev = torch.cat([torch.zeros_like(h[:, :1]), h[:, :-1]], 1)
        return gb * h_prev, gb


class SSMBlock(nn.Module):
    def __init__(self, d, expand=2, n=8, conv=4, rank=16):
        super().__init__()
        e = d * expand
        self.n, self.rank = n, rank
        self.norm = nn.RMSNorm(d)
        self.inp = nn.Linear(d, 2 * e, bias=False)
        self.conv = nn.Conv1d(e, e, conv, groups=e, padding=conv - 1)
        self.xproj = nn.Linear(e, rank + 2 * n, bias=False)
        self.dt = nn.Linear(rank, e)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, n + 1).float()).repeat(e, 1))
        self.D = nn.Parameter(torch.ones(e))
        self.out = nn.Linear(e, d, bias=False)

    def forward(self, x):
        L = x.shape[1]
        u, z = self.inp(self.norm(x)).chunk(2, -1)
        u = F.silu(self.conv(u.transpose(1, 2))[..., :L].transpose(1, 2))
        dt, B, C = self.xproj(u).split([self.rank, self.n, self.n], -1)
        dt = F.softplus(self.dt(dt)).float()
        a = torch.exp(dt[..., None] * -self.A_log.exp())
        b = (dt * u.float())[..., None] * B.float()[:, :, None, :]
        h = ChunkedScan.apply(a, b)
        y = (h * C.float()[:, :, None, :]).sum(-1) + self.D * u
        return x + self.out(y.to(u.dtype) * F.silu(z))


class LM(nn.Module):
    def __init__(self, vocab, d, layers):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(SSMBlock(d) for _ in range(layers))
        self.norm = nn.RMSNorm(d)
        self.head = nn.Linear(d, vocab, bias=False)
        self.head.weight = self.emb.weight
        nn.init.normal_(self.emb.weight, std=0.02)

    def forward(self, ids):
        x = self.emb(ids)
        for b in self.blocks:
            x = b(x)
        return self.head(self.norm(x))


def induction_batch(B, L, V, gen):
    half = torch.randint(0, V, (B, L // 2), generator=gen)
    return torch.cat([half, half], 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bs", type=int, default=8)
    ap.add_argument("--len", type=int, default=256)
    ap.add_argument("--vocab", type=int, default=4096)
    ap.add_argument("--dim", type=int, default=320)
    ap.add_argument("--layers", type=int, default=4)
    ap.add_argument("--steps", type=int, default=5)
    a = ap.parse_args()
    torch.manual_seed(99)
    gen = torch.Generator().manual_seed(99)
    model = LM(a.vocab, a.dim, a.layers).to("cuda")
    decay = [p for n, p in model.named_parameters() if p.ndim >= 2 and "A_log" not in n]
    rest = [p for n, p in model.named_parameters() if p.ndim < 2 or "A_log" in n]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=6e-4, betas=(0.9, 0.95), fused=True)
    warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=3)
    for step in range(a.steps):
        ids = induction_batch(a.bs, a.len, a.vocab, gen).to("cuda", non_blocking=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(ids[:, :-1])
            loss = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        warm.step()
        opt.zero_grad(set_to_none=True)
        print(step, f"{loss.item():.4f}", f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
