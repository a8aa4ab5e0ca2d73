"""DLRM-ish click model: EmbeddingBags with sparse gradients (SparseAdam) and a dense part (Adagrad)."""
import argparse
import logging
import sys

import torch
import torch.nn as nn

log = logging.getLogger("dlrm")


def mlp(sizes, final_act=True):
    layers = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2 or final_act:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, table_sizes, dim, n_dense, bottom, top):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(n, dim, mode="sum", sparse=True) for n in table_sizes)
        for t in self.tables:
            bound = t.num_embeddings ** -0.5
            nn.init.uniform_(t.weight, -bound, bound)
        self.bottom = mlp([n_dense] + bottom + [dim])
        f = len(table_sizes) + 1
        self.top = mlp([dim + f * (f - 1) // 2] + top + [1], final_act=False)
        li, lj = torch.tril_indices(f, f, offset=-1)
        self.register_buffer("li", li)
        self.register_buffer("lj", lj)

    def forward(self, dense, bags):
        x = self.bottom(dense)
        embs = [table(idx, off) for table, (idx, off) in zip(self.tables, bags)]
        feats = torch.stack([x] + embs, dim=1)
        inter = torch.bmm(feats, feats.transpose(1, 2))[:, self.li, self.lj]
        return self.top(torch.cat([x, inter], dim=1)).squeeze(1)


def make_batch(bs, n_dense, table_sizes, max_bag, device):
    dense = torch.log1p(torch.rand(bs, n_dense) * 100).to(device)
    bags = []
    for n in table_sizes:
        counts = torch.randint(1, max_bag + 1, (bs,))
        offsets = torch.cat([torch.zeros(1, dtype=torch.long), counts.cumsum(0)[:-1]])
        idx = (torch.rand(int(counts.sum())).pow(3) * n).long()
        bags.append((idx.to(device), offsets.to(device)))
    clicks = (torch.rand(bs) < 0.25).float().to(device)
    return dense, bags, clicks


def auc(scores, labels):
    order = scores.argsort()
    ranks = torch.empty_like(scores)
    ranks[order] = torch.arange(1, len(scores) + 1, device=scores.device, dtype=scores.dtype)
    pos = labels.sum()
    neg = len(labels) - pos
    return ((ranks[labels == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)).item()


def main(argv):
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=8192)
    p.add_argument("--dim", type=int, default=64)
    p.add_argument("--steps", type=int, default=4)
    p.add_argument("--scale", type=int, default=1)
    a = p.parse_args(argv)
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    torch.manual_seed(0)
    device = torch.device("cuda")

    sizes = [1_500_000, 800_000, 400_000, 100_000] + [10_000 + 500 * i for i in range(18)]
    sizes = [max(10, n // a.scale) for n in sizes]
    with device:
        model = DLRM(sizes, a.dim, 13, [512, 256], [1024, 512, 256])
    sparse = list(model.tables.parameters())
    dense = list(model.bottom.parameters()) + list(model.top.parameters())
    opt_s = torch.optim.SparseAdam(sparse, lr=1e-3)
    opt_d = torch.optim.Adagrad(dense, lr=1e-2)
    loss_fn = nn.BCEWithLogitsLoss()

    for step in range(a.steps):
        x, bags, y = make_batch(a.batch, 13, sizes, 8, device)
        loss = loss_fn(model(x, bags), y)
        opt_s.zero_grad()
        opt_d.zero_grad()
        loss.backward()
        opt_s.step()
        opt_d.step()
        log.info("step %d logloss %.5f", step, loss.item())

    with torch.no_grad():
        x, bags, y = make_batch(a.batch * 2, 13, sizes, 8, device)
        log.info("AUC %.4f", auc(model(x, bags), y))


if __name__ == "__main__":
    main(sys.argv[1:])
