"""DLRM for click-through rate: EmbeddingBags with sparse grads (SparseAdam) + dense MLPs (Adagrad), AUC at the end."""
import argparse

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, nargs="+", default=[400_000, 250_000, 120_000, 60_000, 20_000, 5_000, 900, 120])
parser.add_argument("--dim", type=int, default=128)
parser.add_argument("--dense", type=int, default=13)
parser.add_argument("--batch", type=int, default=8192)
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--max-bag", type=int, default=6)
args = parser.parse_args()


class DLRM(nn.Module):
    def __init__(self, rows, dim, n_dense):
        super().__init__()
        self.emb = nn.ModuleList(nn.EmbeddingBag(r, dim, mode="sum", sparse=True) for r in rows)
        for e in self.emb:
            nn.init.uniform_(e.weight, -e.num_embeddings**-0.5, e.num_embeddings**-0.5)
        self.bot = nn.Sequential(nn.Linear(n_dense, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(),
                                 nn.Linear(256, dim), nn.ReLU())
        n = len(rows) + 1
        self.register_buffer("tri", torch.tril_indices(n, n, -1), persistent=False)
        self.top = nn.Sequential(nn.Linear(dim + n * (n - 1) // 2, 1024), nn.ReLU(), nn.Linear(1024, 512), nn.ReLU(),
                                 nn.Linear(512, 1))

    def forward(self, dense, bags):
        d = self.bot(dense)
        z = torch.stack([d] + [e(idx, off) for e, (idx, off) in zip(self.emb, bags)], 1)
        inter = torch.bmm(z, z.transpose(1, 2))[:, self.tri[0], self.tri[1]]
        return self.top(torch.cat([d, inter], 1)).squeeze(1)


def batch(rng, device):
    dense = torch.from_numpy(rng.lognormal(size=(args.batch, args.dense)).astype(np.float32)).log1p_()
    bags = []
    for r in args.rows:
        lens = rng.integers(1, args.max_bag + 1, args.batch)
        off = np.concatenate([[0], np.cumsum(lens)[:-1]])
        idx = np.minimum(rng.zipf(1.2, lens.sum()) - 1, r - 1)
        bags.append((torch.from_numpy(idx).to(device), torch.from_numpy(off).to(device)))
    y = torch.from_numpy((rng.random(args.batch) < 0.25).astype(np.float32))
    return dense.to(device), bags, y.to(device)


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    device = torch.device("cuda")
    model = DLRM(args.rows, args.dim, args.dense).to(device)
    sparse_opt = torch.optim.SparseAdam(list(model.emb.parameters()), lr=1e-3)
    dense_opt = torch.optim.Adagrad([*model.bot.parameters(), *model.top.parameters()], lr=0.01)
    lossf = nn.BCEWithLogitsLoss()
    for s in range(args.steps):
        dense, bags, y = batch(rng, device)
        loss = lossf(model(dense, bags), y)
        sparse_opt.zero_grad()
        dense_opt.zero_grad()
        loss.backward()
        sparse_opt.step()
        dense_opt.step()
        nnz = sum(e.weight.grad._nnz() for e in model.emb)
        print(f"step {s} bce {loss.item():.4f} sparse grad rows {nnz}")

    model.eval()
    preds, ys = [], []
    with torch.no_grad():
        for _ in range(2):
            dense, bags, y = batch(rng, device)
            preds.append(model(dense, bags).sigmoid().cpu())
            ys.append(y.cpu())
    print("auc", round(roc_auc_score(torch.cat(ys).numpy(), torch.cat(preds).numpy()), 4))
    print("peak MB", torch.cuda.max_memory_allocated() / 1e6)


if __name__ == "__main__":
    main()
