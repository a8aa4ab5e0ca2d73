"""EGNN-like potential; forces are -dE/dx, so training differentiates a gradient.

Molecules of different sizes are packed in one disconnected graph.
"""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class HP:
    mols: int = 96
    min_atoms: int = 9
    max_atoms: int = 23
    hidden: int = 128
    layers: int = 4
    n_rbf: int = 32
    cutoff: float = 4.0
    steps: int = 5
    lr: float = 4e-4
    w_force: float = 25.0


class Bessel(nn.Module):
    def __init__(self, n, cut):
        super().__init__()
        self.cut = cut
        self.register_buffer("freq", torch.arange(1, n + 1) * math.pi / cut)

    def forward(self, d):
        env = 0.5 * (torch.cos(math.pi * d / self.cut) + 1) * (d < self.cut)
        return (torch.sin(self.freq * d[:, None]) / d[:, None]) * env[:, None]


class Interaction(nn.Module):
    def __init__(self, h, r):
        super().__init__()
        self.edge = nn.Sequential(nn.Linear(2 * h + r, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU())
        self.gate = nn.Linear(h, 1)
        self.coord = nn.Sequential(nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1, bias=False))
        self.node = nn.Sequential(nn.Linear(2 * h, h), nn.SiLU(), nn.Linear(h, h))

    def forward(self, h, x, v, s, d, rbf, unit):
        m = self.edge(torch.cat([h[s], h[d], rbf], -1))
        m = m * torch.sigmoid(self.gate(m))
        agg = torch.zeros_like(h).index_add(0, d, m)
        v = v + torch.zeros_like(v).index_add(0, d, unit * self.coord(m))
        h = h + self.node(torch.cat([h, agg], -1))
        h = h + 0.1 * v.pow(2).sum(-1, keepdim=True)
        return h, v


class Potential(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.emb = nn.Embedding(10, hp.hidden)
        self.rbf = Bessel(hp.n_rbf, hp.cutoff)
        self.blocks = nn.ModuleList(Interaction(hp.hidden, hp.n_rbf) for _ in range(hp.layers))
        self.out = nn.Sequential(nn.Linear(hp.hidden, hp.hidden // 2), nn.SiLU(), nn.Linear(hp.hidden // 2, 1))

    def forward(self, z, x, batch, n_mol, s, d):
        r = x[s] - x[d]
        dist = (r.pow(2).sum(-1) + 1e-8).sqrt()
        rbf, unit = self.rbf(dist), r / dist[:, None]
        h, v = self.emb(z), torch.zeros_like(x)
        for b in self.blocks:
            h, v = b(h, x, v, s, d, rbf, unit)
        e = self.out(h).squeeze(-1)
        return torch.zeros(n_mol, device=x.device).index_add(0, batch, e)


def make_batch(hp, gen):
    sizes = torch.randint(hp.min_atoms, hp.max_atoms + 1, (hp.mols,), generator=gen)
    batch = torch.repeat_interleave(torch.arange(hp.mols), sizes)
    z = torch.randint(1, 10, (len(batch),), generator=gen)
    x = torch.randn(len(batch), 3, generator=gen) * 1.6
    starts = torch.cumsum(sizes, 0) - sizes
    src, dst = [], []
    for st, n in zip(starts.tolist(), sizes.tolist()):
        i, j = torch.meshgrid(torch.arange(n), torch.arange(n), indexing="ij")
        keep = i != j
        src.append(i[keep] + st)
        dst.append(j[keep] + st)
    return [t.cuda() for t in (z, x, batch, torch.cat(src), torch.cat(dst))]


def pair_reference(x, s, d, batch, n):
    """soft Lennard-Jones-like target energies and forces"""
    x = x.detach().requires_grad_(True)
    r2 = (x[s] - x[d]).pow(2).sum(-1) + 0.5
    e = 0.5 * (1 / r2**3 - 1 / r2)
    E = torch.zeros(n, device=x.device).index_add(0, batch[d], e)
    F = -torch.autograd.grad(E.sum(), x)[0]
    return E.detach(), F


def main():
    hp = HP()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(17)
    model = Potential(hp).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=hp.lr, amsgrad=True)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=2)
    for step in range(hp.steps):
        z, x, batch, s, d = make_batch(hp, gen)
        E_ref, F_ref = pair_reference(x, s, d, batch, hp.mols)
        x.requires_grad_(True)
        E = model(z, x, batch, hp.mols, s, d)
        F = -torch.autograd.grad(E.sum(), x, create_graph=True)[0]
        le, lf = (E - E_ref).pow(2).mean(), (F - F_ref).pow(2).mean()
        loss = le + hp.w_force * lf
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 10)
        opt.step()
        plateau.step(loss.item())
        print(f"step {step} edges {len(s)} E {le.item():.3f} F {lf.item():.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f}MiB")


if __name__ == "__main__":
    main()
