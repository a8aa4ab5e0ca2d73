"""Full-batch GCN on a random graph the size of a citation network; message passing by index_add_."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def random_graph(n, e, seed):
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(0, n, (e,), generator=g)
    dst = (torch.rand(e, generator=g).pow(2) * n).long().clamp(max=n - 1)  # skewed in-degree
    loops = torch.arange(n)
    row = torch.cat([src, dst, loops])
    col = torch.cat([dst, src, loops])
    return row, col


def gcn_norm(row, col, n):
    deg = torch.zeros(n, device=row.device).index_add_(0, col, torch.ones_like(col, dtype=torch.float))
    dinv = deg.pow(-0.5)
    return dinv[row] * dinv[col]


class GCNConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.lin = nn.Linear(cin, cout, bias=False)
        self.bias = nn.Parameter(torch.zeros(cout))

    def forward(self, x, row, col, w):
        h = self.lin(x)
        out = torch.zeros_like(h)
        out.index_add_(0, col, h[row] * w[:, None])
        return out + self.bias


class GCN(nn.Module):
    def __init__(self, cin, hidden, cout, layers, dropout):
        super().__init__()
        dims = [cin] + [hidden] * (layers - 1) + [cout]
        self.convs = nn.ModuleList(GCNConv(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.bns = nn.ModuleList(nn.BatchNorm1d(hidden) for _ in range(layers - 1))
        self.dropout = dropout

    def forward(self, x, row, col, w):
        for conv, bn in zip(self.convs[:-1], self.bns):
            x = F.relu(bn(conv(x, row, col, w)))
            x = F.dropout(x, self.dropout, self.training)
        return self.convs[-1](x, row, col, w).log_softmax(-1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nodes", type=int, default=100_000)
    ap.add_argument("--edges", type=int, default=400_000)
    ap.add_argument("--feat", type=int, default=128)
    ap.add_argument("--hidden", type=int, default=192)
    ap.add_argument("--classes", type=int, default=40)
    ap.add_argument("--layers", type=int, default=3)
    ap.add_argument("--epochs", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda")
    row, col = (t.to(device) for t in random_graph(args.nodes, args.edges, 0))
    w = gcn_norm(row, col, args.nodes)
    x = torch.randn(args.nodes, args.feat).to(device)
    y = torch.randint(0, args.classes, (args.nodes,)).to(device)
    split = torch.rand(args.nodes).to(device)
    train_idx = (split < 0.54).nonzero().squeeze(1)
    val_idx = ((split >= 0.54) & (split < 0.72)).nonzero().squeeze(1)

    model = GCN(args.feat, args.hidden, args.classes, args.layers, 0.5).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    best = 0.0
    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        out = model(x, row, col, w)[train_idx]
        loss = F.nll_loss(out, y[train_idx])
        loss.backward()
        optimizer.step()

        model.eval()
        with torch.no_grad():
            pred = model(x, row, col, w).argmax(-1)
            tr = (pred[train_idx] == y[train_idx]).float().mean().item()
            va = (pred[val_idx] == y[val_idx]).float().mean().item()
        best = max(best, va)
        print(f"Epoch {epoch:02d} loss {loss.item():.4f} train {tr:.4f} valid {va:.4f}")
    print(f"best {best:.4f}, edges {row.numel()}, max mem {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
