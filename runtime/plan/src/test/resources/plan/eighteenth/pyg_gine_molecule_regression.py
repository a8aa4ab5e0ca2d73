"""Molecular property regression with PyTorch Geometric: GINE layers, virtual node, jumping knowledge."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINEConv, global_add_pool, global_mean_pool

ATOMS, BONDS = 28, 4
HIDDEN, LAYERS = 256, 5
BATCH = 512
TRAIN, VALID = 2048, 512
EPOCHS = 2


def fake_molecule(gen):
    n = int(torch.randint(12, 40, (1,), generator=gen))
    x = torch.randint(0, ATOMS, (n,), generator=gen)
    # random tree plus a few ring closures
    parent = (torch.rand(n - 1, generator=gen) * torch.arange(1, n)).long()
    a = torch.arange(1, n)
    extra = torch.randint(0, n, (2, n // 6), generator=gen)
    edge = torch.cat([torch.stack([a, parent]), extra], 1)
    attr = torch.randint(0, BONDS, (edge.size(1),), generator=gen)
    edge = torch.cat([edge, edge.flip(0)], 1)
    attr = torch.cat([attr, attr])
    y = (x.float().mean() / ATOMS + 0.1 * attr.float().mean()).view(1)
    return Data(x=x, edge_index=edge, edge_attr=attr, y=y)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class GINE(nn.Module):
    def __init__(self):
        super().__init__()
        self.atom = nn.Embedding(ATOMS, HIDDEN)
        self.bond = nn.ModuleList(nn.Embedding(BONDS, HIDDEN) for _ in range(LAYERS))
        self.convs = nn.ModuleList(GINEConv(mlp(HIDDEN, 2 * HIDDEN, HIDDEN), train_eps=True) for _ in range(LAYERS))
        self.norms = nn.ModuleList(nn.BatchNorm1d(HIDDEN) for _ in range(LAYERS))
        self.virtual = nn.Embedding(1, HIDDEN)
        self.vmlp = nn.ModuleList(mlp(HIDDEN, 2 * HIDDEN, HIDDEN) for _ in range(LAYERS - 1))
        self.head = nn.Sequential(nn.Linear(HIDDEN * (LAYERS + 1), HIDDEN), nn.ReLU(), nn.Dropout(0.2),
                                  nn.Linear(HIDDEN, 1))
        nn.init.zeros_(self.virtual.weight)

    def forward(self, data):
        h = self.atom(data.x)
        v = self.virtual(torch.zeros(data.num_graphs, dtype=torch.long, device=h.device))
        levels = [h]
        for i, conv in enumerate(self.convs):
            h = levels[-1] + v[data.batch]
            out = self.norms[i](conv(h, data.edge_index, self.bond[i](data.edge_attr)))
            if i < LAYERS - 1:
                out = F.relu(out)
                v = v + self.vmlp[i](global_add_pool(h, data.batch) + v)
            levels.append(F.dropout(out, 0.1, self.training) + h)
        pooled = global_mean_pool(torch.cat(levels, 1), data.batch)
        return self.head(pooled).squeeze(-1)


def run_epoch(model, loader, device, opt=None):
    model.train(opt is not None)
    total = n = 0
    with torch.set_grad_enabled(opt is not None):
        for data in loader:
            data = data.to(device)
            loss = F.l1_loss(model(data), data.y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item() * data.num_graphs
            n += data.num_graphs
    return total / n


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(33)
    device = torch.device("cuda")
    mols = [fake_molecule(gen) for _ in range(TRAIN + VALID)]
    train = DataLoader(mols[:TRAIN], batch_size=BATCH, shuffle=True)
    valid = DataLoader(mols[TRAIN:], batch_size=BATCH)
    model = GINE().to(device)
    opt = torch.optim.Adamax(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=0, factor=0.7)
    best, state = float("inf"), None
    for epoch in range(EPOCHS):
        tr = run_epoch(model, train, device, opt)
        va = run_epoch(model, valid, device)
        sched.step(va)
        if va < best:
            best, state = va, copy.deepcopy(model.state_dict())
        print(f"epoch {epoch} train MAE {tr:.4f} valid MAE {va:.4f} lr {opt.param_groups[0]['lr']:.1e} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.load_state_dict(state)
    print("best", round(best, 4))


if __name__ == "__main__":
    main()
