"""DLRM-style click model. Embedding tables use sparse gradients (SparseAdam), dense part Adagrad."""
import time

import numpy as np
import torch
from torch import nn


class Interaction(nn.Module):
    def __init__(self, n):
        super().__init__()
        i, j = torch.tril_indices(n, n, offset=-1)
        self.register_buffer("i", i, persistent=False)
        self.register_buffer("j", j, persistent=False)

    def forward(self, dense, embs):
        z = torch.stack([dense] + embs, dim=1)
        return torch.cat([dense, torch.bmm(z, z.transpose(1, 2))[:, self.i, self.j]], dim=1)


def mlp(sizes, last_act=True):
    layers = []
    for k, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        if last_act or k < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, tables, dim, n_dense):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(n, dim, mode="sum", sparse=True) for n in tables)
        for b in self.bags:
            nn.init.uniform_(b.weight, -0.01, 0.01)
        self.bottom = mlp([n_dense, 512, 256, dim])
        n = len(tables) + 1
        self.inter = Interaction(n)
        self.top = mlp([dim + n * (n - 1) // 2, 1024, 512, 256, 1], last_act=False)

    def forward(self, dense, idx, off):
        d = self.bottom(dense)
        e = [bag(i, o) for bag, i, o in zip(self.bags, idx, off)]
        return self.top(self.inter(d, e)).squeeze(1)


def make_batch(rng, b, tables, n_dense, device):
    dense = torch.from_numpy(rng.lognormal(size=(b, n_dense)).astype(np.float32)).log1p()
    idx, off = [], []
    for n in tables:
        counts = rng.integers(1, 6, b)
        raw = np.minimum(rng.zipf(1.2, counts.sum()) - 1, n - 1)
        idx.append(torch.from_numpy(raw.astype(np.int64)).to(device))
        off.append(torch.from_numpy(np.concatenate([[0], counts.cumsum()[:-1]])).to(device))
    y = torch.from_numpy((rng.random(b) < 0.25).astype(np.float32))
    return dense.to(device), idx, off, y.to(device)


def main():
    tables = [300_000, 150_000, 400_000, 80_000, 20_000, 5_000, 500_000, 1_000, 60_000, 120]
    dim, n_dense, batch, steps = 96, 13, 8192, 6
    torch.manual_seed(77)
    rng = np.random.default_rng(77)
    device = "cuda"
    model = DLRM(tables, dim, n_dense).to(device)
    sparse = [p for b in model.bags for p in b.parameters()]
    dense = list(model.bottom.parameters()) + list(model.top.parameters())
    opts = [torch.optim.SparseAdam(sparse, lr=1e-3), torch.optim.Adagrad(dense, lr=1e-2)]
    lossf = nn.BCEWithLogitsLoss()
    print("table params %.1fM, dense params %.2fM" % (sum(p.numel() for p in sparse) / 1e6, sum(p.numel() for p in dense) / 1e6))
    for step in range(steps):
        t = time.time()
        d, idx, off, y = make_batch(rng, batch, tables, n_dense, device)
        loss = lossf(model(d, idx, off), y)
        for o in opts:
            o.zero_grad()
        loss.backward()
        for o in opts:
            o.step()
        print(f"{step} loss={loss.item():.4f} lookups={sum(len(i) for i in idx)} {time.time() - t:.2f}s "
              f"alloc={torch.cuda.memory_allocated() / 2**20:.0f}MiB")
    model.eval()
    with torch.no_grad():
        d, idx, off, y = make_batch(rng, 4 * batch, tables, n_dense, device)
        p = model(d, idx, off).sigmoid()
    print("mean ctr", p.mean().item(), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
