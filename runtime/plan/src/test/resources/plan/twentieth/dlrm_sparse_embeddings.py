"""DLRM-like click model: big EmbeddingBags with sparse gradients, two optimizers."""
import argparse
import time

import torch
import torch.nn as nn


def mlp(sizes, last_relu=True):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        if last_relu or i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, table_sizes, dim, dense, bottom, top):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(n, dim, mode="sum", sparse=True) for n in table_sizes)
        for t in self.tables:
            nn.init.uniform_(t.weight, -t.num_embeddings ** -0.5, t.num_embeddings ** -0.5)
        self.bottom = mlp([dense] + bottom + [dim])
        f = len(table_sizes) + 1
        self.register_buffer("tril", torch.tril_indices(f, f, offset=-1), persistent=False)
        self.top = mlp([dim + f * (f - 1) // 2] + top + [1], last_relu=False)

    def forward(self, dense, idx, offs):
        d = self.bottom(dense)
        z = torch.stack([d] + [t(i, o) for t, i, o in zip(self.tables, idx, offs)], 1)
        inter = torch.bmm(z, z.transpose(1, 2))[:, self.tril[0], self.tril[1]]
        return self.top(torch.cat([d, inter], 1)).squeeze(1)


def make_batch(bs, dense, sizes, hot, gen, device):
    x = torch.rand(bs, dense, generator=gen).log1p()
    idx, offs = [], []
    for n in sizes:
        lens = torch.randint(1, hot + 1, (bs,), generator=gen)
        off = torch.cat([torch.zeros(1, dtype=torch.long), lens.cumsum(0)[:-1]])
        # zipf-ish ids
        u = torch.rand(int(lens.sum()), generator=gen)
        idx.append((n * u ** 3).long().clamp(max=n - 1).to(device))
        offs.append(off.to(device))
    y = (torch.rand(bs, generator=gen) < 0.25).float()
    return x.to(device), idx, offs, y.to(device)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=4096)
    ap.add_argument("--dim", type=int, default=64)
    ap.add_argument("--tables", type=str, default="2000000-800000-500000-100000-100000-40000-10000-5000-1000-300-100-24")
    ap.add_argument("--dense", type=int, default=13)
    ap.add_argument("--hot", type=int, default=8)
    ap.add_argument("--iters", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(123)
    gen = torch.Generator().manual_seed(123)
    device = "cuda"
    sizes = [int(s) for s in args.tables.split("-")]
    with torch.device(device):
        model = DLRM(sizes, args.dim, args.dense, [512, 256], [1024, 1024, 512])
    emb = sum(p.numel() for p in model.tables.parameters())
    print(f"embedding parameters {emb / 1e6:.0f}M, table memory {emb * 4 / 2**30:.2f} GiB")
    sparse_opt = torch.optim.SparseAdam(list(model.tables.parameters()), lr=1e-3)
    dense_opt = torch.optim.Adagrad(list(model.bottom.parameters()) + list(model.top.parameters()), lr=1e-2)
    bce = nn.BCEWithLogitsLoss()
    for it in range(args.iters):
        t = time.time()
        dense, idx, offs, y = make_batch(args.batch, args.dense, sizes, args.hot, gen, device)
        logit = model(dense, idx, offs)
        loss = bce(logit, y)
        sparse_opt.zero_grad()
        dense_opt.zero_grad()
        loss.backward()
        sparse_opt.step()
        dense_opt.step()
        print(f"it {it} loss {loss.item():.5f} {1e3 * (time.time() - t):.0f} ms")
    with torch.no_grad():
        dense, idx, offs, y = make_batch(args.batch * 4, args.dense, sizes, args.hot, gen, device)
        p = model(dense, idx, offs).sigmoid()
        order = p.argsort()
        ranks = torch.empty_like(order, dtype=torch.double)
        ranks[order] = torch.arange(1, len(p) + 1, device=device, dtype=torch.double)
        pos = y.sum()
        auc = (ranks[y > 0].sum() - pos * (pos + 1) / 2) / (pos * (len(y) - pos))
    print(f"auc {auc.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
