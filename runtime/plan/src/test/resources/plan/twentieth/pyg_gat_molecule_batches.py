"""Graph regression on molecule-sized random graphs with PyTorch Geometric: GATv2 with edge features, mini-batches."""
import torch
import torch.nn.functional as F
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GATv2Conv, BatchNorm, global_add_pool, global_mean_pool

ATOMS, BONDS = 28, 5


def molecule(g):
    n = int(torch.randint(12, 60, (1,), generator=g))
    # a random tree and some rings
    parent = torch.tensor([int(torch.randint(0, i, (1,), generator=g)) for i in range(1, n)])
    child = torch.arange(1, n)
    extra = torch.randint(0, n, (2, n // 6), generator=g)
    one = torch.cat([torch.stack([parent, child]), extra], 1)
    ei = torch.cat([one, one.flip(0)], 1)
    bond = torch.randint(0, BONDS, (one.size(1),), generator=g).repeat(2)
    z = torch.randint(0, ATOMS, (n,), generator=g)
    y = z.float().mean().view(1, 1) / ATOMS + 0.1 * (one.size(1) - n)
    return Data(x=z, edge_index=ei, edge_attr=bond, y=y)


class Net(nn.Module):
    def __init__(self, hidden=256, heads=8, layers=4, dropout=0.1):
        super().__init__()
        self.atom = nn.Embedding(ATOMS, hidden)
        self.bond = nn.Embedding(BONDS, hidden)
        self.convs, self.norms = nn.ModuleList(), nn.ModuleList()
        for _ in range(layers):
            self.convs.append(GATv2Conv(hidden, hidden // heads, heads=heads, edge_dim=hidden, dropout=dropout))
            self.norms.append(BatchNorm(hidden))
        self.head = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))
        self.dropout = dropout

    def forward(self, data):
        x, e = self.atom(data.x), self.bond(data.edge_attr)
        for conv, norm in zip(self.convs, self.norms):
            h = F.elu(norm(conv(x, data.edge_index, e)))
            x = x + F.dropout(h, self.dropout, self.training)
        pooled = torch.cat([global_mean_pool(x, data.batch), global_add_pool(x, data.batch) / 30.0], -1)
        return self.head(pooled)


def run(model, loader, device, opt=None):
    model.train(opt is not None)
    total, count = 0.0, 0
    with torch.set_grad_enabled(opt is not None):
        for data in loader:
            data = data.to(device)
            pred = model(data)
            loss = F.l1_loss(pred, data.y)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
            total += loss.item() * data.num_graphs
            count += data.num_graphs
    return total / count


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    mols = [molecule(g) for _ in range(1200)]
    device = torch.device("cuda")
    bs = 256
    train_loader = DataLoader(mols[:1024], batch_size=bs, shuffle=True)
    val_loader = DataLoader(mols[1024:], batch_size=bs)
    model = Net().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.7, patience=1)
    for epoch in range(2):
        train_mae = run(model, train_loader, device, opt)
        val_mae = run(model, val_loader, device)
        sched.step(val_mae)
        print(f"epoch {epoch}: train MAE {train_mae:.4f} val MAE {val_mae:.4f} lr {opt.param_groups[0]['lr']:.1e}")
    print(f"Peak memory {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
