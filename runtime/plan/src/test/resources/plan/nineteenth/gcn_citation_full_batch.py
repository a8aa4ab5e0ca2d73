"""Full-batch GNN on a big random citation graph: GCN layers by index_add, one attention layer by scatter softmax.
No PyG needed."""
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--nodes", type=int, default=40_000)
ap.add_argument("--edges", type=int, default=300_000)
ap.add_argument("--feat", type=int, default=128)
ap.add_argument("--hidden", type=int, default=256)
ap.add_argument("--classes", type=int, default=40)
ap.add_argument("--epochs", type=int, default=6)
ap.add_argument("--dropedge", type=float, default=0.2)
a = ap.parse_args()
DEV = "cuda"


def build_graph(seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, a.classes, (a.nodes,), generator=g)
    src = torch.randint(0, a.nodes, (a.edges,), generator=g)
    # preferential: squares of uniforms make hubs
    dst = (torch.rand(a.edges, generator=g).pow(2) * a.nodes).long().clamp_max(a.nodes - 1)
    ei = torch.stack([torch.cat([src, dst]), torch.cat([dst, src])])
    x = torch.randn(a.nodes, a.feat, generator=g) + F.one_hot(y, a.feat).float()
    r = torch.rand(a.nodes, generator=g)
    return x, y, ei, r < 0.6, (r >= 0.6) & (r < 0.8), r >= 0.8


def gcn_norm(ei, n):
    loop = torch.arange(n, device=ei.device)
    row, col = torch.cat([ei[0], loop]), torch.cat([ei[1], loop])
    deg = torch.zeros(n, device=ei.device).index_add_(0, col, torch.ones(len(col), device=ei.device))
    dinv = deg.rsqrt()
    return row, col, dinv[row] * dinv[col]


class GCNConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x, row, col, w):
        h = self.lin(x)
        msg = h[row] * w[:, None]
        return torch.zeros_like(h).index_add(0, col, msg) + self.bias


class GATConv(nn.Module):
    def __init__(self, i, o, heads):
        super().__init__()
        self.h, self.o = heads, o
        self.lin = nn.Linear(i, heads * o, bias=False)
        self.src = nn.Parameter(torch.randn(heads, o) * 0.1)
        self.dst = nn.Parameter(torch.randn(heads, o) * 0.1)

    def forward(self, x, row, col):
        n = len(x)
        h = self.lin(x).view(n, self.h, self.o)
        e = F.leaky_relu((h * self.src).sum(-1)[row] + (h * self.dst).sum(-1)[col], 0.2)
        idx = col[:, None].expand_as(e)
        mx = torch.full((n, self.h), -1e9, device=x.device).scatter_reduce(0, idx, e.detach(), "amax")
        e = (e - mx[col]).exp()
        z = torch.zeros(n, self.h, device=x.device).scatter_add(0, idx, e)
        alpha = e / (z[col] + 1e-9)
        out = torch.zeros_like(h).index_add(0, col, h[row] * alpha[..., None])
        return out.mean(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = GCNConv(a.feat, a.hidden)
        self.c2 = GCNConv(a.hidden, a.hidden)
        self.c3 = GATConv(a.hidden, a.classes, 2)
        self.n1, self.n2 = nn.LayerNorm(a.hidden), nn.LayerNorm(a.hidden)

    def forward(self, x, ei):
        if self.training and a.dropedge:
            ei = ei[:, torch.rand(ei.shape[1], device=ei.device) > a.dropedge]
        row, col, w = gcn_norm(ei, len(x))
        x = F.dropout(F.elu(self.n1(self.c1(x, row, col, w))), 0.5, self.training)
        x = x + F.dropout(F.elu(self.n2(self.c2(x, row, col, w))), 0.5, self.training)
        return self.c3(x, row, col)


def main():
    torch.manual_seed(0)
    x, y, ei, tr, va, te = (t.to(DEV) for t in build_graph())
    net = Net().to(DEV)
    opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
    best = (0, 0)
    for ep in range(a.epochs):
        net.train()
        opt.zero_grad()
        out = net(x, ei)
        loss = F.cross_entropy(out[tr], y[tr])
        loss.backward()
        opt.step()
        net.eval()
        with torch.no_grad():
            ok = net(x, ei).argmax(-1) == y
        v, t = ok[va].float().mean().item(), ok[te].float().mean().item()
        best = max(best, (v, t))
        print(f"epoch {ep} loss {loss.item():.4f} val {v:.4f} test {t:.4f}")
    print("best", best, "peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
