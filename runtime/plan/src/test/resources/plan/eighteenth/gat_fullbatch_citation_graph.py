"""Graph attention network written with plain index_add / scatter_reduce, full-batch node classification."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_NODES = 60_000
AVG_DEGREE = 10
IN_DIM = 256
HIDDEN = 32
HEADS = 4
CLASSES = 40
EPOCHS = 6


def random_graph(n, deg, device):
    """Preferential-ish random graph, symmetric, with self loops."""
    src = torch.randint(0, n, (n * deg // 2,), device=device)
    dst = (torch.rand(n * deg // 2, device=device) ** 2 * n).long()
    loops = torch.arange(n, device=device)
    row = torch.cat([src, dst, loops])
    col = torch.cat([dst, src, loops])
    return torch.stack([row, col])


def edge_softmax(score, index, n):
    """score: (E, H); softmax over the edges that share a destination."""
    idx = index[:, None].expand_as(score)
    top = torch.full((n, score.size(1)), float("-inf"), device=score.device)
    top = top.scatter_reduce(0, idx, score.detach(), reduce="amax")
    e = (score - top[index]).exp()
    z = torch.zeros(n, score.size(1), device=score.device).index_add(0, index, e)
    return e / (z[index] + 1e-16)


class GATLayer(nn.Module):
    def __init__(self, in_dim, out_dim, heads, concat=True):
        super().__init__()
        self.lin = nn.Linear(in_dim, heads * out_dim, bias=False)
        self.a_src = nn.Parameter(torch.empty(heads, out_dim))
        self.a_dst = nn.Parameter(torch.empty(heads, out_dim))
        self.bias = nn.Parameter(torch.zeros(heads * out_dim if concat else out_dim))
        self.res = nn.Linear(in_dim, heads * out_dim if concat else out_dim, bias=False)
        self.heads, self.out_dim, self.concat = heads, out_dim, concat
        nn.init.xavier_normal_(self.a_src)
        nn.init.xavier_normal_(self.a_dst)

    def forward(self, x, edges):
        n = x.size(0)
        h = self.lin(x).view(n, self.heads, self.out_dim)
        s = (h * self.a_src).sum(-1)
        d = (h * self.a_dst).sum(-1)
        src, dst = edges
        alpha = edge_softmax(F.leaky_relu(s[src] + d[dst], 0.2), dst, n)
        alpha = F.dropout(alpha, 0.2, self.training)
        msg = h[src] * alpha.unsqueeze(-1)
        out = torch.zeros_like(h).index_add_(0, dst, msg)
        out = out.flatten(1) if self.concat else out.mean(1)
        return out + self.bias + self.res(x)


class GAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = GATLayer(IN_DIM, HIDDEN, HEADS)
        self.n1 = nn.BatchNorm1d(HIDDEN * HEADS)
        self.l2 = GATLayer(HIDDEN * HEADS, HIDDEN, HEADS)
        self.n2 = nn.BatchNorm1d(HIDDEN * HEADS)
        self.l3 = GATLayer(HIDDEN * HEADS, CLASSES, 2, concat=False)

    def forward(self, x, edges):
        x = F.dropout(x, 0.3, self.training)
        x = F.elu(self.n1(self.l1(x, edges)))
        x = F.dropout(x, 0.3, self.training)
        x = F.elu(self.n2(self.l2(x, edges)))
        return self.l3(x, edges)


def main():
    torch.manual_seed(17)
    device = torch.device("cuda")
    edges = random_graph(N_NODES, AVG_DEGREE, device)
    y = torch.randint(0, CLASSES, (N_NODES,), device=device)
    x = torch.randn(N_NODES, IN_DIM, device=device) + F.one_hot(y, IN_DIM).float()
    perm = torch.randperm(N_NODES, device=device)
    train_idx, val_idx, test_idx = perm[:30000], perm[30000:40000], perm[40000:]

    model = GAT().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    best = (0.0, 0.0)
    for epoch in range(EPOCHS):
        model.train()
        opt.zero_grad()
        logits = model(x, edges)
        loss = F.cross_entropy(logits[train_idx], y[train_idx])
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            pred = model(x, edges).argmax(1)
        val = (pred[val_idx] == y[val_idx]).float().mean().item()
        test = (pred[test_idx] == y[test_idx]).float().mean().item()
        best = max(best, (val, test))
        print(f"epoch {epoch} loss {loss.item():.3f} val {val:.3f} test {test:.3f} "
              f"mem {torch.cuda.max_memory_allocated(device) / 2**20:.0f} MiB")
    print("best val / test", best, "edges", edges.size(1))


if __name__ == "__main__":
    main()
