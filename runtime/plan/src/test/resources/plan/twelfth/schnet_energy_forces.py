"""SchNet-like interatomic potential in plain torch; forces by autograd, so training differentiates twice."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

HIDDEN, N_RBF, INTERACTIONS, CUTOFF = 128, 50, 4, 5.0
MOLECULES, STEPS, W_FORCE = 48, 5, 100.0
ATOMS = (18, 40)


def ssp(x):
    return F.softplus(x) - math.log(2)


class Interaction(nn.Module):
    def __init__(self):
        super().__init__()
        self.f1, self.f2 = nn.Linear(N_RBF, HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.inp = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.o1, self.o2 = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, HIDDEN)

    def forward(self, h, src, dst, rbf, cut):
        w = self.f2(ssp(self.f1(rbf))) * cut[:, None]
        msg = self.inp(h)[src] * w
        agg = torch.zeros_like(h).index_add(0, dst, msg)
        return h + self.o2(ssp(self.o1(agg)))


class SchNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.z = nn.Embedding(20, HIDDEN)
        self.blocks = nn.ModuleList(Interaction() for _ in range(INTERACTIONS))
        self.out = nn.Sequential(nn.Linear(HIDDEN, HIDDEN // 2), nn.Softplus(), nn.Linear(HIDDEN // 2, 1))
        self.register_buffer("mu", torch.linspace(0, CUTOFF, N_RBF))

    def forward(self, z, pos, edge, mol, n_mol):
        src, dst = edge
        d = (pos[src] - pos[dst]).norm(dim=1)
        rbf = torch.exp(-10.0 * (d[:, None] - self.mu) ** 2)
        cut = 0.5 * (torch.cos(math.pi * d / CUTOFF) + 1)
        h = self.z(z)
        for b in self.blocks:
            h = b(h, src, dst, rbf, cut)
        return pos.new_zeros(n_mol).index_add(0, mol, self.out(h).squeeze(1))


def make_batch(g, device):
    n = torch.randint(*ATOMS, (MOLECULES,), generator=g)
    mol = torch.repeat_interleave(torch.arange(MOLECULES), n)
    pos = torch.rand(len(mol), 3, generator=g) * 6.0
    z = torch.randint(1, 20, (len(mol),), generator=g)
    edges, start = [], 0
    for k in n.tolist():
        dist = torch.cdist(pos[start:start + k], pos[start:start + k])
        i, j = torch.where((dist < CUTOFF) & (dist > 0))
        edges.append(torch.stack([i, j]) + start)
        start += k
    e = torch.randn(MOLECULES, generator=g)
    f = torch.randn(len(mol), 3, generator=g) * 0.1
    return [t.to(device) for t in (z, pos, torch.cat(edges, 1), mol, e, f)]


def main():
    torch.manual_seed(314)
    device = torch.device("cuda")
    g = torch.Generator().manual_seed(314)
    model = SchNet().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=5e-4, amsgrad=True)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.8, patience=1)
    ema = [p.detach().clone() for p in model.parameters()]
    for step in range(STEPS):
        z, pos, edge, mol, e, f = make_batch(g, device)
        pos.requires_grad_(True)
        pe = model(z, pos, edge, mol, MOLECULES)
        pf = -torch.autograd.grad(pe.sum(), pos, create_graph=True)[0]
        loss = F.mse_loss(pe, e) + W_FORCE * F.mse_loss(pf, f)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        opt.step()
        sched.step(loss.item())
        with torch.no_grad():
            torch._foreach_lerp_(ema, list(model.parameters()), 0.01)
        print(f"step {step} atoms {len(z)} edges {edge.shape[1]} loss {loss.item():.4f}")
    # relax one batch by steepest descent
    pos = pos.detach()
    for _ in range(3):
        pos.requires_grad_(True)
        grad, = torch.autograd.grad(model(z, pos, edge, mol, MOLECULES).sum(), pos)
        pos = (pos - 0.01 * grad).detach()
    print("max force", grad.abs().max().item(), "peak MiB", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
