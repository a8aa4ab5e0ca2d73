"""Minimal Mamba-like state-space LM in pure PyTorch. The scan is done chunk by chunk in log space;
after training, recurrent generation with a fixed-size state."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class ModelArgs:
    d_model: int = 256
    n_layer: int = 3
    vocab: int = 4096
    d_state: int = 8
    expand: int = 2
    d_conv: int = 4
    chunk: int = 32

    def __post_init__(self):
        self.d_inner = self.expand * self.d_model
        self.dt_rank = math.ceil(self.d_model / 16)


class MambaBlock(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.norm = nn.LayerNorm(a.d_model)
        self.in_proj = nn.Linear(a.d_model, 2 * a.d_inner, bias=False)
        self.conv = nn.Conv1d(a.d_inner, a.d_inner, a.d_conv, groups=a.d_inner, padding=a.d_conv - 1)
        self.x_proj = nn.Linear(a.d_inner, a.dt_rank + 2 * a.d_state, bias=False)
        self.dt_proj = nn.Linear(a.dt_rank, a.d_inner)
        self.A_log = nn.Parameter(torch.arange(1, a.d_state + 1).float().log().repeat(a.d_inner, 1))
        self.D = nn.Parameter(torch.ones(a.d_inner))
        self.out_proj = nn.Linear(a.d_inner, a.d_model, bias=False)
        with torch.no_grad():
            dt = torch.exp(torch.rand(a.d_inner) * (math.log(0.1) - math.log(0.001)) + math.log(0.001))
            self.dt_proj.bias.copy_(dt + torch.log(-torch.expm1(-dt)))

    def ssm_inputs(self, x):
        a = self.a
        dt, B, C = self.x_proj(x).split([a.dt_rank, a.d_state, a.d_state], -1)
        dt = F.softplus(self.dt_proj(dt))
        A = -self.A_log.exp()
        return dt[..., None] * A, dt[..., None] * B[..., None, :] * x[..., None], C      # (..., d, n)

    def scan(self, la, bx, C):
        """h_t = exp(la_t) h_{t-1} + bx_t, in chunks"""
        Bz, L, D, N = la.shape
        h = la.new_zeros(Bz, D, N)
        ys = []
        for s in range(0, L, self.a.chunk):
            l, b, c = la[:, s:s + self.a.chunk], bx[:, s:s + self.a.chunk], C[:, s:s + self.a.chunk]
            cum = l.cumsum(1)
            # bounded exponent keeps float32 happy for short chunks
            w = torch.exp((-cum).clamp(max=60.0))
            states = torch.exp(cum) * ((b * w).cumsum(1) + h[:, None])
            ys.append(torch.einsum("bldn,bln->bld", states, c))
            h = states[:, -1]
        return torch.cat(ys, 1), h

    def forward(self, u):
        x, z = self.in_proj(self.norm(u)).chunk(2, -1)
        x = F.silu(self.conv(x.transpose(1, 2))[..., :u.size(1)].transpose(1, 2))
        la, bx, C = self.ssm_inputs(x)
        y, _ = self.scan(la, bx, C)
        return u + self.out_proj((y + self.D * x) * F.silu(z))

    def step(self, u, cache):
        """u (B, d_model) one token; cache = (conv window, state)"""
        win, h = cache
        x, z = self.in_proj(self.norm(u)).chunk(2, -1)
        win = torch.cat([win[:, :, 1:], x[:, :, None]], -1)
        x = F.silu((win * self.conv.weight.squeeze(1)).sum(-1) + self.conv.bias)
        la, bx, C = self.ssm_inputs(x)
        h = la.exp() * h + bx
        y = (h * C[:, None]).sum(-1) + self.D * x
        return u + self.out_proj(y * F.silu(z)), (win, h)


class Mamba(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.emb = nn.Embedding(a.vocab, a.d_model)
        self.layers = nn.ModuleList(MambaBlock(a) for _ in range(a.n_layer))
        self.norm = nn.LayerNorm(a.d_model)

    def forward(self, ids):
        h = self.emb(ids)
        for l in self.layers:
            h = l(h)
        return self.norm(h) @ self.emb.weight.t() * self.a.d_model ** -0.5

    @torch.no_grad()
    def generate(self, prompt, n):
        a, B = self.a, prompt.size(0)
        dev = prompt.device
        caches = [(torch.zeros(B, a.d_inner, a.d_conv, device=dev), torch.zeros(B, a.d_inner, a.d_state, device=dev))
                  for _ in self.layers]
        out, tok = [], prompt[:, 0]
        for t in range(prompt.size(1) + n - 1):
            h = self.emb(tok)
            for i, l in enumerate(self.layers):
                h, caches[i] = l.step(h, caches[i])
            nxt = (self.norm(h) @ self.emb.weight.t()).argmax(-1)
            tok = prompt[:, t + 1] if t + 1 < prompt.size(1) else nxt
            if t + 1 >= prompt.size(1):
                out.append(tok)
        return torch.stack(out, 1)


def main(batch=4, seq=256, steps=4):
    torch.manual_seed(6)
    dev = torch.device("cuda")
    model = Mamba(ModelArgs()).to(dev)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    base = torch.randint(0, model.a.vocab, (64,), device=dev)
    for i in range(steps):
        start = torch.randint(0, 64, (batch, 1), device=dev)
        ids = base[(start + torch.arange(seq + 1, device=dev)) % 64]       # periodic text
        loss = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"step {i}: loss {loss.item():.4f}")
    gen = model.generate(base[None, :16].repeat(8, 1), 12)
    print("generated", gen[0].tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
