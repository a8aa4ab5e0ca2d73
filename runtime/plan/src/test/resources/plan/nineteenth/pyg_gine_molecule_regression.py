"""Molecular property regression with torch_geometric: GINE layers + virtual node, batches of variable-size graphs."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINEConv, global_add_pool, global_mean_pool

torch.manual_seed(31)
random.seed(31)
DEVICE = torch.device("cuda")
N_GRAPHS, BATCH = 640, 160
NODES = (40, 180)
DIM, LAYERS = 320, 5
ATOMS, BONDS, TARGETS = 28, 4, 3
EPOCHS = 2


def fake_molecule():
    n = random.randint(*NODES)
    # a random tree with a few rings
    parent = [random.randint(max(0, i - 4), i - 1) for i in range(1, n)]
    pairs = [(i + 1, p) for i, p in enumerate(parent)]
    pairs += [(random.randrange(n), random.randrange(n)) for _ in range(n // 6)]
    ei = torch.tensor(pairs + [(b, a) for a, b in pairs]).t().contiguous()
    attr = torch.randint(0, BONDS, (len(pairs),)).repeat(2)
    x = torch.randint(0, ATOMS, (n,))
    y = torch.stack([x.float().mean() / 10, (x == 3).float().sum() / 5, attr.float().mean()])[None]
    return Data(x=x, edge_index=ei, edge_attr=attr, y=y, num_nodes=n)


class GNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.atom = nn.Embedding(ATOMS, DIM)
        self.bond = nn.ModuleList(nn.Embedding(BONDS, DIM) for _ in range(LAYERS))
        self.convs, self.norms, self.vn_mlps = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for _ in range(LAYERS):
            mlp = nn.Sequential(nn.Linear(DIM, 2 * DIM), nn.BatchNorm1d(2 * DIM), nn.ReLU(), nn.Linear(2 * DIM, DIM))
            self.convs.append(GINEConv(mlp, train_eps=True))
            self.norms.append(nn.BatchNorm1d(DIM))
            self.vn_mlps.append(nn.Sequential(nn.Linear(DIM, DIM), nn.LayerNorm(DIM), nn.ReLU()))
        self.vn = nn.Parameter(torch.zeros(1, DIM))
        self.out = nn.Sequential(nn.Linear(2 * DIM, DIM), nn.SiLU(), nn.Linear(DIM, TARGETS))

    def forward(self, data):
        h = self.atom(data.x)
        vn = self.vn.expand(data.num_graphs, -1)
        for conv, norm, bond, mlp in zip(self.convs, self.norms, self.bond, self.vn_mlps):
            h = h + vn[data.batch]
            new = norm(conv(h, data.edge_index, bond(data.edge_attr)))
            h = h + F.dropout(F.relu(new), 0.1, self.training)
            vn = vn + mlp(global_add_pool(h, data.batch, data.num_graphs) / 100)
        g = torch.cat([global_mean_pool(h, data.batch), vn], 1)
        return self.out(g)


def run_epoch(model, loader, opt=None):
    model.train(opt is not None)
    total, n = 0.0, 0
    with torch.set_grad_enabled(opt is not None):
        for data in loader:
            data = data.to(DEVICE)
            loss = F.l1_loss(model(data), data.y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 2.0)
                opt.step()
            total += loss.item() * data.num_graphs
            n += data.num_graphs
    return total / n


def main():
    graphs = [fake_molecule() for _ in range(N_GRAPHS)]
    cut = int(0.8 * N_GRAPHS)
    train = DataLoader(graphs[:cut], batch_size=BATCH, shuffle=True)
    test = DataLoader(graphs[cut:], batch_size=BATCH)
    model = GNN().to(DEVICE)
    opt = torch.optim.RAdam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=0, factor=0.5)
    for ep in range(EPOCHS):
        tr = run_epoch(model, train, opt)
        te = run_epoch(model, test)
        sched.step(te)
        print(f"epoch {ep}: train MAE {tr:.4f}, test MAE {te:.4f}, lr {opt.param_groups[0]['lr']:.1e}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
