"""Mamba-like language model in plain PyTorch (chunked selective scan), reentrant checkpointing of each layer, bf16."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

VOCAB = 8192
D_MODEL = 384
N_LAYER = 6
D_STATE = 16
EXPAND = 2
CONV = 4
SEQ = 512
BATCH = 8
CHUNK = 64
STEPS = 4
DEVICE = "cuda"


class RMSNorm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-5).to(x.dtype) * self.w


def selective_scan(u, dt, A, B, C, D):
    """u, dt: (b, l, d); A: (d, n); B, C: (b, l, n).  Sequential over chunks, parallel (cumsum in log space) inside."""
    b, l, d = u.shape
    h = torch.zeros(b, d, A.size(1), device=u.device)
    ys = []
    for s in range(0, l, CHUNK):
        uc, dc, bc, cc = u[:, s:s + CHUNK], dt[:, s:s + CHUNK], B[:, s:s + CHUNK], C[:, s:s + CHUNK]
        la = dc[..., None] * A                       # log decay, (b, c, d, n)
        cum = la.cumsum(1).clamp(min=-20)
        x = dc[..., None] * bc[:, :, None] * uc[..., None]
        hs = cum.exp() * (h[:, None] + (x * (-cum).exp()).cumsum(1))
        ys.append((hs * cc[:, :, None]).sum(-1))
        h = hs[:, -1]
    return torch.cat(ys, 1) + u * D


class MambaBlock(nn.Module):
    def __init__(self):
        super().__init__()
        di, r = EXPAND * D_MODEL, math.ceil(D_MODEL / 16)
        self.r = r
        self.norm = RMSNorm(D_MODEL)
        self.inp = nn.Linear(D_MODEL, 2 * di, bias=False)
        self.conv = nn.Conv1d(di, di, CONV, groups=di, padding=CONV - 1)
        self.xp = nn.Linear(di, r + 2 * D_STATE, bias=False)
        self.dtp = nn.Linear(r, di)
        self.A_log = nn.Parameter(torch.arange(1, D_STATE + 1).float().log().repeat(di, 1))
        self.D = nn.Parameter(torch.ones(di))
        self.out = nn.Linear(di, D_MODEL, bias=False)
        nn.init.constant_(self.dtp.bias, -4.0)

    def forward(self, x):
        l = x.size(1)
        u, z = self.inp(self.norm(x)).chunk(2, -1)
        u = F.silu(self.conv(u.transpose(1, 2))[..., :l].transpose(1, 2))
        dt, B, C = self.xp(u).split([self.r, D_STATE, D_STATE], -1)
        dt = F.softplus(self.dtp(dt))
        y = selective_scan(u.float(), dt.float(), -self.A_log.exp(), B.float(), C.float(), self.D)
        return x + self.out(y.to(z.dtype) * F.silu(z))


class MambaLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, D_MODEL)
        self.layers = nn.ModuleList(MambaBlock() for _ in range(N_LAYER))
        self.norm = RMSNorm(D_MODEL)
        nn.init.normal_(self.emb.weight, std=0.02)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            if self.training:
                x = checkpoint(layer, x, use_reentrant=True)
            else:
                x = layer(x)
        return F.linear(self.norm(x), self.emb.weight)


def main():
    torch.manual_seed(2)
    model = MambaLM().to(DEVICE)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f}M parameters")
    opt = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1)
    for step in range(STEPS):
        ids = torch.randint(VOCAB, (BATCH, SEQ + 1), device=DEVICE)
        with torch.autocast(DEVICE, dtype=torch.bfloat16):
            logits = model(ids[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())
        loss.backward()
        gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} loss {loss.item():.4f} gn {gn.item():.2f} {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    with torch.no_grad(), torch.autocast(DEVICE, dtype=torch.bfloat16):
        ppl = F.cross_entropy(model(ids[:2, :-1]).float().flatten(0, 1), ids[:2, 1:].flatten()).exp()
    print("eval ppl", ppl.item())


if __name__ == "__main__":
    main()
