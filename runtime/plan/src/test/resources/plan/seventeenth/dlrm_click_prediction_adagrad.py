"""DLRM for CTR: EmbeddingBag tables of unequal size, dot interaction, Adagrad, in float32."""
import argparse
import os
import tempfile

import torch
import torch.nn as nn

TABLES = [500_000, 300_000, 200_000, 100_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 300, 100, 50, 24, 10, 4]


def mlp(sizes, last_act=True):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        lin = nn.Linear(a, b)
        nn.init.normal_(lin.weight, std=(2 / (a + b)) ** 0.5)
        layers.append(lin)
        if last_act or i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, dense=13, dim=64, tables=TABLES):
        super().__init__()
        self.bottom = mlp([dense, 512, 256, dim])
        self.bags = nn.ModuleList(nn.EmbeddingBag(n, dim, mode="sum") for n in tables)
        f = len(tables) + 1
        li, lj = torch.tril_indices(f, f, -1)
        self.register_buffer("li", li)
        self.register_buffer("lj", lj)
        self.top = mlp([dim + f * (f - 1) // 2, 1024, 512, 256, 1], last_act=False)

    def forward(self, dense, indices, offsets):
        x = self.bottom(dense)
        feats = [x] + [bag(i, o) for bag, i, o in zip(self.bags, indices, offsets)]
        t = torch.stack(feats, 1)
        z = torch.bmm(t, t.transpose(1, 2))[:, self.li, self.lj]
        return self.top(torch.cat([x, z], 1)).squeeze(1)


def batches(n, batch, device, seed):
    """multi-hot features: each bag has between 1 and 6 indices"""
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        dense = torch.rand(batch, 13, generator=g).mul(1000).log1p()
        idx, off = [], []
        for size in TABLES:
            k = torch.randint(1, 7, (batch,), generator=g)
            off.append((k.cumsum(0) - k).to(device))
            idx.append((torch.rand(int(k.sum()), generator=g).pow(4) * size).long().to(device))
        y = (torch.rand(batch, generator=g) < 0.03 + 0.02 * (dense[:, 0] > 6)).float()
        yield dense.to(device), idx, off, y.to(device)


def normalized_entropy(p, y):
    ce = nn.functional.binary_cross_entropy(p, y)
    base = y.mean().clamp(1e-6, 1 - 1e-6)
    return (ce / -(base * base.log() + (1 - base) * (1 - base).log())).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=8192)
    ap.add_argument("--dim", type=int, default=64)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--lr", type=float, default=0.02)
    a = ap.parse_args()
    torch.manual_seed(2)
    dev = "cuda"
    model = DLRM(dim=a.dim).to(dev)
    print(f"tables {sum(TABLES) * a.dim * 4 / 2**20:.0f} MiB; before optimizer {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    opt = torch.optim.Adagrad(model.parameters(), lr=a.lr, initial_accumulator_value=1e-6)
    loss_fn = nn.BCEWithLogitsLoss()
    for s, (d, i, o, y) in enumerate(batches(a.steps, a.batch, dev, 0)):
        loss = loss_fn(model(d, i, o), y)
        opt.zero_grad(set_to_none=False)
        loss.backward()
        opt.step()
        print(f"step {s} logloss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    ps, ys = [], []
    with torch.no_grad():
        for d, i, o, y in batches(2, 2 * a.batch, dev, 1):
            ps.append(model(d, i, o).sigmoid())
            ys.append(y)
    print("normalized entropy", round(normalized_entropy(torch.cat(ps), torch.cat(ys)), 4))
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "dlrm.pt")
        torch.save(model.state_dict(), path)
        print("checkpoint MB", os.path.getsize(path) // 10**6)


if __name__ == "__main__":
    main()
