"""Molecular property regression with torch_geometric: GINE layers + virtual node, batches of small graphs, EMA weights."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINEConv, global_add_pool, global_mean_pool

GRAPHS, BATCH, HIDDEN, LAYERS, EPOCHS = 1536, 512, 300, 5, 2
ATOM_FEATS = [120, 4, 12, 12, 10]
BOND_FEATS = [5, 6, 2]


class SumEmbedding(nn.Module):
    def __init__(self, cards):
        super().__init__()
        self.tabs = nn.ModuleList(nn.Embedding(c, HIDDEN) for c in cards)

    def forward(self, x):
        return sum(t(x[:, i]) for i, t in enumerate(self.tabs))


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.atom = SumEmbedding(ATOM_FEATS)
        self.bonds = nn.ModuleList(SumEmbedding(BOND_FEATS) for _ in range(LAYERS))
        self.convs = nn.ModuleList(GINEConv(mlp(HIDDEN, 2 * HIDDEN, HIDDEN), train_eps=True) for _ in range(LAYERS))
        self.norms = nn.ModuleList(nn.BatchNorm1d(HIDDEN) for _ in range(LAYERS))
        self.vn0 = nn.Parameter(torch.zeros(1, HIDDEN))
        self.vn = nn.ModuleList(mlp(HIDDEN, 2 * HIDDEN, HIDDEN) for _ in range(LAYERS - 1))
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, d):
        h = self.atom(d.x)
        v = self.vn0.expand(d.num_graphs, -1)
        for i in range(LAYERS):
            h = h + v[d.batch]
            z = self.norms[i](self.convs[i](h, d.edge_index, self.bonds[i](d.edge_attr)))
            h = h + F.dropout(F.relu(z) if i < LAYERS - 1 else z, 0.2, self.training)
            if i < LAYERS - 1:
                v = v + self.vn[i](global_add_pool(h, d.batch) + v)
        return self.out(global_mean_pool(h, d.batch)).squeeze(1)


def molecule(i):
    g = torch.Generator().manual_seed(i)
    n = int(torch.randint(18, 60, (1,), generator=g))
    x = torch.stack([torch.randint(0, c, (n,), generator=g) for c in ATOM_FEATS], 1)
    chain = torch.stack([torch.arange(n - 1), torch.arange(1, n)])
    rings = torch.randint(0, n, (2, n // 3), generator=g)
    e = torch.cat([chain, rings], 1)
    e = torch.cat([e, e.flip(0)], 1)
    attr = torch.stack([torch.randint(0, c, (e.shape[1],), generator=g) for c in BOND_FEATS], 1)
    return Data(x=x, edge_index=e, edge_attr=attr, y=(x[:, 0].float().mean() / 60 - 1).view(1))


def main():
    torch.manual_seed(27)
    dev = torch.device("cuda")
    mols = [molecule(i) for i in range(GRAPHS)]
    cut = GRAPHS * 2 // 3
    train, val = DataLoader(mols[:cut], BATCH, shuffle=True), DataLoader(mols[cut:], BATCH)
    net = Net().to(dev)
    ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.99), use_buffers=True)
    opt = torch.optim.Adamax(net.parameters(), lr=1e-3)
    for ep in range(EPOCHS):
        net.train()
        for d in train:
            d = d.to(dev)
            loss = F.l1_loss(net(d), d.y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            ema.update_parameters(net)
        ema.eval()
        with torch.no_grad():
            mae = torch.cat([(ema(d.to(dev)) - d.y.to(dev)).abs() for d in val]).mean().item()
        print(f"epoch {ep} train {loss.item():.4f} val mae {mae:.4f} nodes {d.num_nodes} edges {d.num_edges}")
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
