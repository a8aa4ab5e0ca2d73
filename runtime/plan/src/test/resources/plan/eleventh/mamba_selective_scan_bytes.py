"""Selective state-space LM on bytes, with the scan as a chunked cumulative product in log space (no custom kernels)."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def selective_scan(u, dt, A, B, C, D, chunk):
    """u, dt: [b, l, d]; A: [d, n]; B, C: [b, l, n]. Sequential over chunks, parallel within a chunk."""
    b, l, d = u.shape
    n = A.shape[1]
    h = u.new_zeros(b, d, n)
    ys = []
    for s in range(0, l, chunk):
        uc, dc, Bc, Cc = (t[:, s:s + chunk] for t in (u, dt, B, C))
        logdecay = (dc.unsqueeze(-1) * A).cumsum(1).clamp(min=-30)
        inp = (dc * uc).unsqueeze(-1) * Bc.unsqueeze(2)
        states = torch.exp(logdecay) * (h.unsqueeze(1) + (inp * torch.exp(-logdecay)).cumsum(1))
        ys.append((states * Cc.unsqueeze(2)).sum(-1))
        h = states[:, -1]
    return torch.cat(ys, 1) + u * D


class MambaBlock(nn.Module):
    def __init__(self, dim, state=8, expand=2, conv=4, chunk=32):
        super().__init__()
        inner = dim * expand
        self.rank, self.state, self.chunk = math.ceil(dim / 16), state, chunk
        self.norm = nn.RMSNorm(dim)
        self.in_proj = nn.Linear(dim, 2 * inner, bias=False)
        self.conv = nn.Conv1d(inner, inner, conv, groups=inner, padding=conv - 1)
        self.x_proj = nn.Linear(inner, self.rank + 2 * state, bias=False)
        self.dt_proj = nn.Linear(self.rank, inner)
        self.A_log = nn.Parameter(torch.log(torch.arange(1, state + 1).float()).repeat(inner, 1))
        self.D = nn.Parameter(torch.ones(inner))
        self.out = nn.Linear(inner, dim, bias=False)
        dt = torch.exp(torch.rand(inner) * (math.log(0.1) - math.log(0.001)) + math.log(0.001))
        self.dt_proj.bias.data.copy_(dt + torch.log(-torch.expm1(-dt)))

    def forward(self, x):
        l = x.size(1)
        u, gate = self.in_proj(self.norm(x)).chunk(2, -1)
        u = F.silu(self.conv(u.transpose(1, 2))[..., :l].transpose(1, 2))
        dt, B, C = self.x_proj(u).split([self.rank, self.state, self.state], -1)
        dt = F.softplus(self.dt_proj(dt))
        y = selective_scan(u, dt, -torch.exp(self.A_log), B, C, self.D, self.chunk)
        return x + self.out(y * F.silu(gate))


class ByteMamba(nn.Module):
    def __init__(self, dim, layers):
        super().__init__()
        self.emb = nn.Embedding(256, dim)
        nn.init.normal_(self.emb.weight, std=0.02)
        self.blocks = nn.ModuleList(MambaBlock(dim) for _ in range(layers))
        self.norm = nn.RMSNorm(dim)

    def forward(self, ids):
        x = self.emb(ids)
        for b in self.blocks:
            x = b(x)
        return self.norm(x) @ self.emb.weight.T


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=256)
    ap.add_argument("--layers", type=int, default=4)
    ap.add_argument("--seq", type=int, default=384)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--steps", type=int, default=5)
    a = ap.parse_args()
    torch.manual_seed(29)
    text = (b"the quick brown fox jumps over the lazy dog; " * 2000)
    data = torch.frombuffer(bytearray(text), dtype=torch.uint8).long()
    model = ByteMamba(a.dim, a.layers).to("cuda")
    nodecay = [p for n, p in model.named_parameters() if n.endswith(("A_log", "D", "bias")) or "norm" in n]
    ids = {id(p) for p in nodecay}
    decay = [p for p in model.parameters() if id(p) not in ids]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": nodecay, "weight_decay": 0.0}], lr=1e-3, foreach=False)
    for step in range(a.steps):
        start = torch.randint(0, len(data) - a.seq - 1, (a.batch,)).tolist()
        xy = torch.stack([data[s:s + a.seq + 1] for s in start]).to("cuda")
        logits = model(xy[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 256), xy[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=False)
        opt.step()
        print(f"step {step} bits/byte {loss.item() / math.log(2):.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    with torch.inference_mode():
        out = data[:64].tolist()
        for _ in range(8):
            logits = model(torch.tensor([out], device="cuda"))
            out.append(int(logits[0, -1].argmax()))
    print(bytes(out[-24:]))


if __name__ == "__main__":
    main()
