"""Graph regression on QM9-like random molecules with torch_geometric (GINE + virtual node)."""
import torch
import torch.nn.functional as F
from torch.nn import BatchNorm1d, Embedding, Linear, ReLU, Sequential
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINEConv, global_add_pool, global_mean_pool

HIDDEN = 256
LAYERS = 5
BATCH_SIZE = 512
N_GRAPHS = 2048
EPOCHS = 2
device = torch.device("cuda")


def make_molecule(g):
    n = int(torch.randint(9, 30, (1,), generator=g))
    z = torch.randint(0, 10, (n,), generator=g)
    parent = (torch.rand(n - 1, generator=g) * torch.arange(1, n)).long()
    tree = torch.stack([torch.arange(1, n), parent])
    ring = torch.randint(0, n, (2, 3), generator=g)
    ei = torch.cat([tree, ring], dim=1)
    attr = torch.randint(0, 4, (ei.size(1),), generator=g)
    y = (z.float().mean() + 0.1 * n).view(1, 1)
    return Data(x=z, edge_index=torch.cat([ei, ei.flip(0)], 1), edge_attr=torch.cat([attr, attr]), y=y)


def mlp(d):
    return Sequential(Linear(d, 2 * d), BatchNorm1d(2 * d), ReLU(), Linear(2 * d, d))


class GINEVirtual(torch.nn.Module):
    def __init__(self, hidden, layers):
        super().__init__()
        self.atom, self.bond = Embedding(10, hidden), Embedding(4, hidden)
        self.virtual = Embedding(1, hidden)
        self.convs = torch.nn.ModuleList([GINEConv(mlp(hidden), train_eps=True) for _ in range(layers)])
        self.bns = torch.nn.ModuleList([BatchNorm1d(hidden) for _ in range(layers)])
        self.vmlps = torch.nn.ModuleList([mlp(hidden) for _ in range(layers - 1)])
        self.head = Sequential(Linear(hidden, hidden), ReLU(), Linear(hidden, 1))

    def forward(self, data):
        x, e = self.atom(data.x), self.bond(data.edge_attr)
        v = self.virtual(torch.zeros(data.num_graphs, dtype=torch.long, device=x.device))
        for i, (conv, bn) in enumerate(zip(self.convs, self.bns)):
            x = x + v[data.batch]
            h = bn(conv(x, data.edge_index, e))
            x = F.dropout(F.relu(h), 0.1, self.training) + x
            if i < len(self.vmlps):
                v = v + self.vmlps[i](global_add_pool(x, data.batch, size=data.num_graphs))
        return self.head(global_mean_pool(x, data.batch, size=data.num_graphs))


def run_epoch(model, loader, optimizer=None):
    model.train(optimizer is not None)
    total = n = 0
    with torch.set_grad_enabled(optimizer is not None):
        for data in loader:
            data = data.to(device)
            pred = model(data)
            loss = F.l1_loss(pred, data.y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * data.num_graphs
            n += data.num_graphs
    return total / n


def main():
    torch.manual_seed(12345)
    g = torch.Generator().manual_seed(12345)
    graphs = [make_molecule(g) for _ in range(N_GRAPHS)]
    split = N_GRAPHS * 3 // 4
    train_loader = DataLoader(graphs[:split], batch_size=BATCH_SIZE, shuffle=True)
    val_loader = DataLoader(graphs[split:], batch_size=BATCH_SIZE)
    model = GINEVirtual(HIDDEN, LAYERS).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.7, patience=5)
    for epoch in range(1, EPOCHS + 1):
        loss = run_epoch(model, train_loader, optimizer)
        val = run_epoch(model, val_loader)
        scheduler.step(val)
        print(f"Epoch: {epoch:03d}, Loss: {loss:.4f}, Val MAE: {val:.4f}, LR: {optimizer.param_groups[0]['lr']:.5f}")
    print(f"Peak memory: {torch.cuda.max_memory_allocated(device) / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
