"""DLRM-like click model: EmbeddingBag tables with sparse gradients + dense MLP, two optimizers."""
import argparse
import time

import torch
import torch.nn as nn


def mlp(sizes, last_act):
    mods = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        mods.append(nn.Linear(a, b))
        if i < len(sizes) - 2 or last_act:
            mods.append(nn.ReLU(inplace=True))
    return nn.Sequential(*mods)


class DLRM(nn.Module):
    def __init__(self, table_rows, dim, n_dense):
        super().__init__()
        self.bottom = mlp([n_dense, 512, 256, dim], True)
        self.tables = nn.ModuleList(nn.EmbeddingBag(r, dim, mode="sum", sparse=True) for r in table_rows)
        for t in self.tables:
            nn.init.uniform_(t.weight, -(t.num_embeddings ** -0.5), t.num_embeddings ** -0.5)
        f = len(table_rows) + 1
        self.register_buffer("tri", torch.tril_indices(f, f, offset=-1))
        self.top = mlp([dim + f * (f - 1) // 2, 1024, 512, 256, 1], False)

    def forward(self, dense, bags):
        d = self.bottom(dense)
        feats = [d] + [t(idx, off) for t, (idx, off) in zip(self.tables, bags)]
        z = torch.stack(feats, 1)
        inter = torch.bmm(z, z.transpose(1, 2))
        pairs = inter[:, self.tri[0], self.tri[1]]
        return self.top(torch.cat([d, pairs], 1)).squeeze(1)


class ClickLog:
    def __init__(self, rows, n_dense, batch, hot, device):
        self.rows, self.n_dense, self.batch, self.hot, self.device = rows, n_dense, batch, hot, device

    def next(self):
        dense = torch.log1p(torch.rand(self.batch, self.n_dense, device=self.device) * 100)
        bags = []
        for k, r in enumerate(self.rows):
            if k % 3 == 0:      # multi-hot feature, ragged
                counts = torch.randint(1, self.hot + 1, (self.batch,), device=self.device)
            else:
                counts = torch.ones(self.batch, dtype=torch.long, device=self.device)
            off = torch.cat([counts.new_zeros(1), counts.cumsum(0)[:-1]])
            u = torch.rand(int(counts.sum()), device=self.device)
            bags.append(((u ** 3 * r).long().clamp(max=r - 1), off))
        y = (torch.rand(self.batch, device=self.device) < 0.03 + 0.1 * (dense[:, 0] > 3)).float()
        return dense, bags, y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=8192)
    ap.add_argument("--dim", type=int, default=64)
    ap.add_argument("--steps", type=int, default=6)
    ap.add_argument("--scale", type=int, default=100_000, help="rows of the largest tables")
    a = ap.parse_args()
    torch.manual_seed(101)
    device = "cuda"
    rows = [a.scale * m // 4 for m in (8, 7, 6, 4, 4, 3, 2, 2, 1, 1)] + [1000] * 8 + [50] * 6
    model = DLRM(rows, a.dim, 13).to(device)
    sparse_params = [t.weight for t in model.tables]
    dense_params = [p for n, p in model.named_parameters() if not n.startswith("tables")]
    opt_sparse = torch.optim.SparseAdam(sparse_params, lr=1e-3)
    opt_dense = torch.optim.Adagrad(dense_params, lr=1e-2)
    loss_fn = nn.BCEWithLogitsLoss()
    print(f"{sum(rows):,} embedding rows, {sum(p.numel() for p in dense_params):,} dense weights")

    log = ClickLog(rows, 13, a.batch, hot=20, device=device)
    for step in range(a.steps):
        t0 = time.time()
        dense, bags, y = log.next()
        loss = loss_fn(model(dense, bags), y)
        opt_sparse.zero_grad()
        opt_dense.zero_grad()
        loss.backward()
        opt_sparse.step()
        opt_dense.step()
        nnz = model.tables[0].weight.grad._nnz()
        print(f"step {step} loss {loss.item():.4f} nnz(table0) {nnz} {time.time() - t0:.2f}s")

    with torch.no_grad():
        dense, bags, y = log.next()
        p = model(dense, bags).sigmoid()
        ne = nn.functional.binary_cross_entropy(p, y) / nn.functional.binary_cross_entropy(
            torch.full_like(p, y.mean().item()), y)
    print(f"normalised entropy {ne.item():.3f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB, now {torch.cuda.memory_allocated() / 2**20:.0f}")


if __name__ == "__main__":
    main()
