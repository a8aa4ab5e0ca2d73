"""DLRM for click-through rate. Big tables with sparse gradients (SparseAdam), dense part with Adam."""
import argparse
import time

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import log_loss, roc_auc_score

parser = argparse.ArgumentParser()
parser.add_argument("--emb-dim", type=int, default=64)
parser.add_argument("--batch", type=int, default=8192)
parser.add_argument("--steps", type=int, default=7)
parser.add_argument("--rows", type=int, nargs="+", default=[1_200_000, 600_000, 250_000, 90_000, 30_000, 5_000, 700, 60])
parser.add_argument("--bag", type=int, default=5, help="values per multi-hot feature")
parser.add_argument("--dense", type=int, default=13)


def mlp(sizes, last_act=True):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if last_act or i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, rows, dim, n_dense):
        super().__init__()
        self.tables = nn.ModuleList([nn.EmbeddingBag(r, dim, mode="sum", sparse=True) for r in rows])
        for t, r in zip(self.tables, rows):
            nn.init.uniform_(t.weight, -(1 / r) ** 0.5, (1 / r) ** 0.5)
        self.bottom = mlp([n_dense, 512, 256, dim])
        n = len(rows) + 1
        self.register_buffer("tri", torch.tril_indices(n, n, offset=-1), persistent=False)
        self.top = mlp([dim + n * (n - 1) // 2, 1024, 1024, 512, 1], last_act=False)

    def forward(self, dense, bags):
        d = self.bottom(dense)
        vecs = [d] + [t(ids, off) for t, (ids, off) in zip(self.tables, bags)]
        z = torch.stack(vecs, 1)
        inter = torch.bmm(z, z.transpose(1, 2))
        flat = inter[:, self.tri[0], self.tri[1]]
        return self.top(torch.cat([d, flat], 1)).squeeze(1)


class ClickLog:
    """Zipf-like ids, ragged bags of 1..k values"""

    def __init__(self, a, seed):
        self.a, self.rng = a, np.random.default_rng(seed)

    def batch(self, device):
        a = self.a
        dense = np.log1p(self.rng.gamma(1.0, 3.0, size=(a.batch, a.dense))).astype(np.float32)
        bags = []
        for r in a.rows:
            n = self.rng.integers(1, a.bag + 1, size=a.batch)
            off = np.concatenate([[0], np.cumsum(n)[:-1]])
            ids = np.minimum((self.rng.pareto(0.8, size=n.sum()) * 20).astype(np.int64), r - 1)
            bags.append((torch.from_numpy(ids).to(device), torch.from_numpy(off).to(device)))
        p = 1 / (1 + np.exp(-(dense[:, 0] - dense[:, 1])))
        y = (self.rng.random(a.batch) < p).astype(np.float32)
        return torch.from_numpy(dense).to(device), bags, torch.from_numpy(y).to(device)


def main():
    a = parser.parse_args()
    torch.manual_seed(2)
    device = torch.device("cuda")
    model = DLRM(a.rows, a.emb_dim, a.dense).to(device)
    sparse = list(model.tables.parameters())
    dense = list(model.bottom.parameters()) + list(model.top.parameters())
    opts = [torch.optim.SparseAdam(sparse, lr=1e-3), torch.optim.Adam(dense, lr=1e-3, foreach=True)]
    print(f"tables {sum(p.numel() for p in sparse) * 4 / 2**20:.0f} MiB, dense {sum(p.numel() for p in dense) / 1e6:.2f} M")
    log = ClickLog(a, 4)
    for step in range(a.steps):
        t = time.time()
        x, bags, y = log.batch(device)
        loss = nn.functional.binary_cross_entropy_with_logits(model(x, bags), y)
        for o in opts:
            o.zero_grad()
        loss.backward()
        for o in opts:
            o.step()
        print(f"step {step} logloss {loss.item():.4f} {a.batch / (time.time() - t):.0f} rows/s")

    model.eval()
    ys, ps = [], []
    with torch.no_grad():
        for _ in range(2):
            x, bags, y = log.batch(device)
            ps.append(model(x, bags).sigmoid().cpu())
            ys.append(y.cpu())
    y, p = torch.cat(ys).numpy(), torch.cat(ps).double().numpy()
    print(f"AUC {roc_auc_score(y, p):.4f} logloss {log_loss(y, p):.4f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB reserved {torch.cuda.max_memory_reserved() / 2**30:.2f}")


if __name__ == "__main__":
    main()
