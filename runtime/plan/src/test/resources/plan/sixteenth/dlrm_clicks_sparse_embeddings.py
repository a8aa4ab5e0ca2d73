"""DLRM click model: EmbeddingBag tables with sparse gradients, dot interaction, two optimizers."""
import argparse
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

TABLES = [400_000, 250_000, 120_000, 60_000, 10_000, 3_000, 500, 100]


class DLRM(nn.Module):
    def __init__(self, tables, dim=64, dense=13, bot=(512, 256), top=(1024, 512, 256)):
        super().__init__()
        self.emb = nn.ModuleList([nn.EmbeddingBag(n, dim, mode="sum", sparse=True) for n in tables])
        for e, n in zip(self.emb, tables):
            nn.init.uniform_(e.weight, -(1 / n) ** 0.5, (1 / n) ** 0.5)
        self.bottom = self._mlp([dense, *bot, dim], last_relu=True)
        f = len(tables) + 1
        self.register_buffer("tril", torch.tril_indices(f, f, -1))
        self.top = self._mlp([dim + f * (f - 1) // 2, *top, 1], last_relu=False)

    @staticmethod
    def _mlp(sizes, last_relu):
        layers = []
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            layers.append(nn.Linear(a, b))
            if i < len(sizes) - 2 or last_relu:
                layers.append(nn.ReLU())
        return nn.Sequential(*layers)

    def forward(self, dense, indices, offsets):
        x = self.bottom(dense)
        embs = [e(i, o) for e, i, o in zip(self.emb, indices, offsets)]
        t = torch.stack([x, *embs], dim=1)
        z = torch.bmm(t, t.transpose(1, 2))
        inter = z[:, self.tril[0], self.tril[1]]
        return self.top(torch.cat([x, inter], 1)).squeeze(1)


def make_batch(bs, tables, gen, device, max_hot=8):
    dense = torch.log1p(torch.rand(bs, 13, generator=gen) * 100)
    indices, offsets = [], []
    for n in tables:
        hot = torch.randint(1, max_hot + 1, (bs,), generator=gen)
        off = torch.zeros(bs, dtype=torch.long)
        off[1:] = hot.cumsum(0)[:-1]
        r = torch.rand(int(hot.sum()), generator=gen) ** 3
        indices.append((r * n).long().clamp(max=n - 1).to(device))
        offsets.append(off.to(device))
    y = (torch.rand(bs, generator=gen) < 0.25).float()
    return dense.to(device), indices, offsets, y.to(device)


def auc(scores, labels):
    order = scores.argsort()
    ranks = torch.empty_like(order, dtype=torch.float64)
    ranks[order] = torch.arange(1, len(order) + 1, device=order.device, dtype=torch.float64)
    pos = labels.bool()
    n1, n0 = pos.sum(), (~pos).sum()
    return ((ranks[pos].sum() - n1 * (n1 + 1) / 2) / (n1 * n0)).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch-size", type=int, default=16384)
    ap.add_argument("--dim", type=int, default=64)
    ap.add_argument("--steps", type=int, default=6)
    ap.add_argument("--shrink", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda")
    tables = [max(4, n // args.shrink) for n in TABLES]
    model = DLRM(tables, args.dim).to(device)
    print("embedding rows", sum(tables), "params %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))
    sparse_opt = torch.optim.SparseAdam(list(model.emb.parameters()), lr=1e-3)
    dense_opt = torch.optim.Adagrad([*model.bottom.parameters(), *model.top.parameters()], lr=0.01)
    gen = torch.Generator().manual_seed(1)

    for step in range(args.steps):
        t0 = time.time()
        dense, idx, off, y = make_batch(args.batch_size, tables, gen, device)
        logits = model(dense, idx, off)
        loss = F.binary_cross_entropy_with_logits(logits, y)
        sparse_opt.zero_grad()
        dense_opt.zero_grad()
        loss.backward()
        sparse_opt.step()
        dense_opt.step()
        print(f"step {step} loss {loss.item():.4f} {time.time() - t0:.2f}s "
              f"mem {torch.cuda.memory_allocated() / 2**20:.0f}/{torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    with torch.no_grad():
        outs, ys = [], []
        for _ in range(2):
            dense, idx, off, y = make_batch(args.batch_size, tables, gen, device)
            outs.append(torch.sigmoid(model(dense, idx, off)))
            ys.append(y)
        print("eval auc %.4f" % auc(torch.cat(outs), torch.cat(ys)))


if __name__ == "__main__":
    main()
