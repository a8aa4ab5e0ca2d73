"""DLRM-like click model. EmbeddingBags with sparse gradients (SparseAdam) and a dense part (Adagrad)."""
import time
import torch
from torch import nn
from torch.utils.data import IterableDataset, DataLoader

TABLES = [600_000, 350_000, 200_000, 80_000, 20_000, 3_000, 500, 60]
DIM = 64
DENSE = 13
BATCH = 16_384
STEPS = 7
SEED = 19


class Clicks(IterableDataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.n):
            dense = torch.rand(BATCH, DENSE, generator=g).log1p()
            idx, off = [], []
            for rows in TABLES:
                counts = torch.randint(1, 4, (BATCH,), generator=g)
                off.append(torch.cumsum(counts, 0) - counts)
                u = torch.rand(int(counts.sum()), generator=g)
                idx.append((rows * u.pow(3)).long().clamp_(max=rows - 1))   # skewed ids
            y = (dense.sum(1) + 0.3 * torch.randn(BATCH, generator=g) > 4.9).float()
            yield dense, idx, off, y


class DLRM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(r, DIM, mode="sum", sparse=True) for r in TABLES)
        for t in self.tables:
            nn.init.uniform_(t.weight, -0.01, 0.01)
        self.bottom = nn.Sequential(nn.Linear(DENSE, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, DIM), nn.ReLU())
        f = len(TABLES) + 1
        self.register_buffer("tri", torch.tril_indices(f, f, -1))
        self.top = nn.Sequential(nn.Linear(DIM + f * (f - 1) // 2, 1024), nn.ReLU(), nn.Dropout(0.1), nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 1))

    def forward(self, dense, idx, off):
        d = self.bottom(dense)
        e = [t(i, o) for t, i, o in zip(self.tables, idx, off)]
        z = torch.stack([d] + e, 1)
        inter = torch.bmm(z, z.transpose(1, 2))[:, self.tri[0], self.tri[1]]
        return self.top(torch.cat([d, inter], 1)).squeeze(1)


def auc(score, y):
    order = score.argsort()
    rank = torch.empty_like(order)
    rank[order] = torch.arange(1, len(order) + 1, device=order.device)
    pos = y > 0.5
    n1, n0 = pos.sum().double(), (~pos).sum().double()
    return ((rank[pos].double().sum() - n1 * (n1 + 1) / 2) / (n1 * n0).clamp(min=1)).item()


def main():
    torch.manual_seed(SEED)
    device = torch.device("cuda")
    model = DLRM().to(device)
    print("embedding rows", sum(TABLES), "GB", sum(t.weight.nbytes for t in model.tables) / 1e9)
    opt_sparse = torch.optim.SparseAdam(list(model.tables.parameters()), lr=1e-3)
    dense_params = [p for n, p in model.named_parameters() if not n.startswith("tables")]
    opt_dense = torch.optim.Adagrad(dense_params, lr=1e-2)
    lossf = nn.BCEWithLogitsLoss()
    t = time.time()
    for step, (dense, idx, off, y) in enumerate(DataLoader(Clicks(STEPS, SEED), batch_size=None)):
        dense, y = dense.to(device), y.to(device)
        idx, off = [i.to(device) for i in idx], [o.to(device) for o in off]
        if step == STEPS - 1:
            model.eval()
            with torch.no_grad():
                s = model(dense, idx, off)
            print(f"holdout AUC {auc(s, y):.4f}")
            break
        loss = lossf(model(dense, idx, off), y)
        opt_sparse.zero_grad()
        opt_dense.zero_grad()
        loss.backward()
        opt_sparse.step()
        opt_dense.step()
        print(f"step {step} bce {loss.item():.4f}")
    print(f"{time.time() - t:.1f}s peak {torch.cuda.max_memory_allocated() / 2**20:.0f}MiB")


if __name__ == "__main__":
    main()
