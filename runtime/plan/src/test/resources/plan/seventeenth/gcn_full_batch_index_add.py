"""Full-batch 3-layer GCN on a random power-law graph.  Message passing with index_add_ only (no PyG needed)."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("--nodes", type=int, default=60000)
p.add_argument("--edges", type=int, default=600000)
p.add_argument("--feat", type=int, default=128)
p.add_argument("--hidden", type=int, default=192)
p.add_argument("--classes", type=int, default=40)
p.add_argument("--epochs", type=int, default=5)
p.add_argument("--lr", type=float, default=0.01)
args = p.parse_args()


def make_graph():
    # preferential-looking: destination is drawn with a squared uniform
    src = torch.randint(args.nodes, (args.edges,))
    dst = (torch.rand(args.edges).pow(2) * args.nodes).long().clamp(max=args.nodes - 1)
    both = torch.cat([torch.stack([src, dst]), torch.stack([dst, src])], 1)
    loops = torch.arange(args.nodes).repeat(2, 1)
    return torch.cat([both, loops], 1)


def gcn_norm(edge, n):
    deg = torch.zeros(n, device=edge.device).index_add_(0, edge[1], torch.ones(edge.size(1), device=edge.device))
    inv = deg.clamp(min=1).rsqrt()
    return inv[edge[0]] * inv[edge[1]]


class GCNLayer(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x, edge, w):
        h = self.lin(x)
        msg = h[edge[0]] * w[:, None]
        out = torch.zeros_like(h).index_add_(0, edge[1], msg)
        return out + self.bias


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        dims = [args.feat, args.hidden, args.hidden, args.classes]
        self.layers = nn.ModuleList(GCNLayer(a, b) for a, b in zip(dims, dims[1:]))
        self.norms = nn.ModuleList(nn.BatchNorm1d(d) for d in dims[1:-1])

    def forward(self, x, edge, w):
        for i, layer in enumerate(self.layers):
            x = layer(x, edge, w)
            if i < len(self.norms):
                x = F.dropout(F.relu(self.norms[i](x)), 0.5, self.training)
        return x


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    edge = make_graph().to(device)
    w = gcn_norm(edge, args.nodes)
    x = torch.randn(args.nodes, args.feat).to(device)
    y = torch.randint(args.classes, (args.nodes,)).to(device)
    perm = torch.randperm(args.nodes).to(device)
    tr, va = perm[: args.nodes // 2], perm[args.nodes // 2: args.nodes * 3 // 4]
    model = GCN().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=5e-4)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1)
    for epoch in range(args.epochs):
        model.train()
        out = model(x, edge, w)
        loss = F.cross_entropy(out[tr], y[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            logits = model(x, edge, w)
            val = F.cross_entropy(logits[va], y[va]).item()
            acc = (logits[va].argmax(1) == y[va]).float().mean().item()
        plateau.step(val)
        print(f"epoch {epoch}: loss {loss.item():.4f} val {val:.4f} acc {acc:.4f} "
              f"mem {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
