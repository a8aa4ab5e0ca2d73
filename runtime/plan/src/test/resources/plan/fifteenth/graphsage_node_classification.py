# Full-batch GraphSAGE / GAT mix for node classification, message passing with index_add_ and scatter_reduce.
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def random_graph(n_nodes, n_edges, rng):
    # preferential attachment flavoured degree distribution
    w = 1.0 / np.sqrt(np.arange(1, n_nodes + 1))
    w /= w.sum()
    src = rng.choice(n_nodes, n_edges, p=w)
    dst = rng.integers(0, n_nodes, n_edges)
    both = np.concatenate([np.stack([src, dst]), np.stack([dst, src])], axis=1)
    return torch.from_numpy(np.unique(both, axis=1)).long()


class SAGEConv(nn.Module):
    def __init__(self, din, dout):
        super().__init__()
        self.lin_self, self.lin_nbr = nn.Linear(din, dout), nn.Linear(din, dout, bias=False)

    def forward(self, x, edge_index):
        src, dst = edge_index
        agg = torch.zeros_like(x).index_add_(0, dst, x[src])
        deg = torch.bincount(dst, minlength=len(x)).clamp_min(1).unsqueeze(1)
        return self.lin_self(x) + self.lin_nbr(agg / deg)


class GATConv(nn.Module):
    def __init__(self, din, dout, heads):
        super().__init__()
        self.heads, self.dh = heads, dout // heads
        self.lin = nn.Linear(din, dout, bias=False)
        self.att_src = nn.Parameter(torch.randn(heads, self.dh) * 0.1)
        self.att_dst = nn.Parameter(torch.randn(heads, self.dh) * 0.1)

    def forward(self, x, edge_index):
        src, dst = edge_index
        h = self.lin(x).view(-1, self.heads, self.dh)
        score = F.leaky_relu((h * self.att_src).sum(-1)[src] + (h * self.att_dst).sum(-1)[dst], 0.2)
        idx = dst[:, None].expand_as(score)
        mx = torch.full((len(x), self.heads), float("-inf"), device=x.device).scatter_reduce(0, idx, score.detach(), "amax")
        e = torch.exp(score - mx[dst])
        z = torch.zeros(len(x), self.heads, device=x.device).index_add(0, dst, e)
        a = e / (z[dst] + 1e-12)
        out = torch.zeros_like(h).index_add_(0, dst, h[src] * a.unsqueeze(-1))
        return out.flatten(1)


class Net(nn.Module):
    def __init__(self, din, hidden, classes, heads=4):
        super().__init__()
        self.c1, self.c2, self.c3 = SAGEConv(din, hidden), GATConv(hidden, hidden, heads), SAGEConv(hidden, classes)
        self.n1, self.n2 = nn.BatchNorm1d(hidden), nn.BatchNorm1d(hidden)

    def forward(self, x, ei):
        x = F.dropout(F.relu(self.n1(self.c1(x, ei))), 0.5, self.training)
        x = F.dropout(F.elu(self.n2(self.c2(x, ei))), 0.5, self.training)
        return self.c3(x, ei)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nodes", type=int, default=60000)
    ap.add_argument("--edges", type=int, default=400000)
    ap.add_argument("--features", type=int, default=128)
    ap.add_argument("--hidden", type=int, default=192)
    ap.add_argument("--classes", type=int, default=40)
    ap.add_argument("--epochs", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    dev = torch.device("cuda")
    edge_index = random_graph(args.nodes, args.edges, rng).to(dev)
    y = torch.from_numpy(rng.integers(0, args.classes, args.nodes)).to(dev)
    x = torch.randn(args.nodes, args.features, device=dev) + 0.1 * y[:, None]
    perm = torch.randperm(args.nodes, device=dev)
    train_idx, val_idx = perm[: args.nodes // 2], perm[args.nodes // 2:]
    print(f"{args.nodes} nodes, {edge_index.size(1)} directed edges")

    model = Net(args.features, args.hidden, args.classes).to(dev)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for epoch in range(args.epochs):
        model.train()
        opt.zero_grad()
        out = model(x, edge_index)
        loss = F.cross_entropy(out[train_idx], y[train_idx])
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            pred = model(x, edge_index).argmax(-1)
        acc = (pred[val_idx] == y[val_idx]).float().mean().item()
        print(f"epoch {epoch:02d} loss {loss.item():.4f} val {acc:.4f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
