# limit: 1.25
# UMAP-like layout; data set stays on the card because every phase reads it
import torch

torch.manual_seed(0)
device = "cuda"
N, D, K = 1_000_000, 240, 15


class Table:
    def __init__(self):
        # bfloat would lose the small distances, so float32
        self.x = torch.empty(N, D, device=device)
        for block in self.x.split(50_000):
            block.normal_()
        self.nbr = torch.empty(N, K, dtype=torch.int32, device=device)
        self.dist = torch.empty(N, K, device=device)


def projections(table, n_proj=4):
    """approximate neighbours: sort along random directions"""
    for p in range(n_proj):
        w = torch.randn(D, device=device)
        key = table.x @ w
        order = key.argsort()
        yield order


def fill(table):
    for k, order in enumerate(projections(table)):
        per = 3
        for j in range(per):
            col = (k * per + j) % K
            table.nbr[order, col] = order.roll(-(j + 1)).int()
    for lo in range(0, N, 20_000):
        a = table.x[lo:lo + 20_000]
        for c in range(K):
            b = table.x[table.nbr[lo:lo + 20_000, c].long().clamp(0, N - 1)]
            table.dist[lo:lo + 20_000, c] = (a - b).pow_(2).sum(1)
    print("mean squared distance", table.dist.mean().item())


class Layout:
    def __init__(self, dim=64):
        self.y = torch.empty(N, dim, device=device).normal_(std=1e-2)

    def epoch(self, table, lr):
        i = torch.randint(0, N, (100_000,), device=device)
        j = table.nbr[i, torch.randint(0, K, (100_000,), device=device)].long().clamp(0, N - 1)
        delta = self.y[i] - self.y[j]
        w = torch.exp(-table.dist[i, 0] / table.dist.mean())[:, None]
        self.y.index_add_(0, i, -lr * w * delta)
        return delta.norm(dim=1).mean().item()


table = Table()
fill(table)
layout = Layout()
for e in range(50):
    m = layout.epoch(table, lr=0.1 * (1 - e / 50))
    if e % 10 == 0:
        print("epoch", e, m)
