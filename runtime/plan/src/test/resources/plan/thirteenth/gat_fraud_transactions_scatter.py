"""Graph attention for fraud detection on a transaction graph; message passing with index_add / scatter_reduce only."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import average_precision_score


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--nodes", type=int, default=60_000)
    p.add_argument("--edges", type=int, default=600_000)
    p.add_argument("--features", type=int, default=96)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--lr", type=float, default=5e-3)
    return p.parse_args()


def edge_softmax(score, dst, n):
    mx = torch.full((n, score.size(1)), float("-inf"), device=score.device)
    mx = mx.scatter_reduce(0, dst[:, None].expand_as(score), score.detach(), reduce="amax", include_self=True)
    ex = (score - mx[dst]).exp()
    den = torch.zeros(n, score.size(1), device=score.device).index_add(0, dst, ex)
    return ex / (den[dst] + 1e-9)


class GATLayer(nn.Module):
    def __init__(self, cin, cout, heads, edge_dim, drop=0.2):
        super().__init__()
        self.h, self.d = heads, cout
        self.lin = nn.Linear(cin, heads * cout, bias=False)
        self.edge = nn.Linear(edge_dim, heads)
        self.a_src = nn.Parameter(torch.empty(heads, cout))
        self.a_dst = nn.Parameter(torch.empty(heads, cout))
        nn.init.xavier_uniform_(self.a_src)
        nn.init.xavier_uniform_(self.a_dst)
        self.skip = nn.Linear(cin, heads * cout)
        self.drop = drop

    def forward(self, x, src, dst, e):
        n = x.size(0)
        z = self.lin(x).view(n, self.h, self.d)
        score = (z * self.a_src).sum(-1)[src] + (z * self.a_dst).sum(-1)[dst] + self.edge(e)
        alpha = edge_softmax(F.leaky_relu(score, 0.2), dst, n)
        alpha = F.dropout(alpha, self.drop, self.training)
        msg = z[src] * alpha.unsqueeze(-1)
        out = torch.zeros_like(z).index_add(0, dst, msg)
        return out.flatten(1) + self.skip(x)


class FraudNet(nn.Module):
    def __init__(self, o, edge_dim):
        super().__init__()
        w = o.hidden * o.heads
        self.l1 = GATLayer(o.features, o.hidden, o.heads, edge_dim)
        self.l2 = GATLayer(w, o.hidden, o.heads, edge_dim)
        self.bn = nn.BatchNorm1d(w)
        self.out = nn.Sequential(nn.Linear(w, 64), nn.ELU(), nn.Linear(64, 1))

    def forward(self, x, src, dst, e):
        x = F.elu(self.bn(self.l1(x, src, dst, e)))
        x = F.elu(self.l2(x, src, dst, e))
        return self.out(x).squeeze(-1)


def focal(logits, y, gamma=2.0, alpha=0.9):
    bce = F.binary_cross_entropy_with_logits(logits, y, reduction="none")
    pt = torch.exp(-bce)
    w = torch.where(y > 0, alpha, 1 - alpha)
    return (w * (1 - pt) ** gamma * bce).mean()


def main():
    o = options()
    torch.manual_seed(303)
    device = torch.device("cuda")
    x = torch.randn(o.nodes, o.features)
    y = (torch.rand(o.nodes) < 0.05).float()
    x[y > 0, :4] += 0.8
    pop = torch.rand(o.nodes).pow(4)
    src = torch.multinomial(pop, o.edges, replacement=True)
    dst = torch.randint(0, o.nodes, (o.edges,))
    loops = torch.arange(o.nodes)
    src, dst = torch.cat([src, loops]), torch.cat([dst, loops])
    e = torch.randn(len(src), 8)
    split = torch.rand(o.nodes)
    tr, va = (split < 0.7).to(device), (split >= 0.7).to(device)
    x, y, src, dst, e = (t.to(device) for t in (x, y, src, dst, e))

    net = FraudNet(o, e.size(1)).to(device)
    opt = torch.optim.NAdam(net.parameters(), lr=o.lr, weight_decay=5e-4)
    for ep in range(o.epochs):
        net.train()
        keep = torch.rand(len(src), device=device) > 0.1
        keep[-o.nodes:] = True
        logit = net(x, src[keep], dst[keep], e[keep])
        loss = focal(logit[tr], y[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.eval()
        with torch.no_grad():
            p = net(x, src, dst, e).sigmoid()
        ap = average_precision_score(y[va].cpu().numpy(), p[va].cpu().numpy())
        print(f"epoch {ep} loss {loss.item():.5f} AP {ap:.4f} edges {int(keep.sum())}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
