"""Click-through-rate prediction, DLRM architecture: EmbeddingBag tables + dot interaction, Adagrad."""
import os
import tempfile
from dataclasses import dataclass, field
from typing import List

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score


@dataclass
class DLRMConfig:
    dense_features: int = 13
    table_sizes: List[int] = field(default_factory=lambda: [600_000, 250_000, 120_000, 50_000, 20_000, 8_000] + [1_000] * 10)
    emb_dim: int = 64
    bottom: List[int] = field(default_factory=lambda: [512, 256, 64])
    top: List[int] = field(default_factory=lambda: [1024, 512, 256, 1])
    batch_size: int = 16384
    multi_hot: int = 4
    steps: int = 6
    lr: float = 0.02


def make_mlp(n_in, sizes, final_act=True):
    layers = []
    for i, n_out in enumerate(sizes):
        layers.append(nn.Linear(n_in, n_out))
        if final_act or i < len(sizes) - 1:
            layers.append(nn.ReLU())
        n_in = n_out
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tables = nn.ModuleList()
        for n in cfg.table_sizes:
            bag = nn.EmbeddingBag(n, cfg.emb_dim, mode="sum")
            nn.init.uniform_(bag.weight, -np.sqrt(1 / n), np.sqrt(1 / n))
            self.tables.append(bag)
        self.bottom = make_mlp(cfg.dense_features, cfg.bottom)
        f = len(cfg.table_sizes) + 1
        self.register_buffer("tri", torch.tril_indices(f, f, offset=-1), persistent=False)
        self.top = make_mlp(cfg.emb_dim + f * (f - 1) // 2, cfg.top, final_act=False)

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        vecs = [x] + [bag(ids, offs) for bag, (ids, offs) in zip(self.tables, sparse)]
        t = torch.stack(vecs, dim=1)
        z = torch.bmm(t, t.transpose(1, 2))[:, self.tri[0], self.tri[1]]
        return self.top(torch.cat([x, z], dim=1)).squeeze(1)


def make_batch(cfg, rng, device):
    dense = torch.from_numpy(np.log1p(rng.pareto(1.5, (cfg.batch_size, cfg.dense_features))).astype(np.float32))
    sparse = []
    for n in cfg.table_sizes:
        counts = rng.integers(1, cfg.multi_hot + 1, cfg.batch_size)
        offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
        ids = (rng.random(counts.sum()) ** 4 * n).astype(np.int64)
        sparse.append((torch.from_numpy(ids).to(device), torch.from_numpy(offsets).to(device)))
    click = (dense.mean(1) + 0.3 * torch.from_numpy(rng.standard_normal(cfg.batch_size)).float() > 0.75).float()
    return dense.to(device), sparse, click.to(device)


def main():
    cfg = DLRMConfig()
    torch.manual_seed(727)
    rng = np.random.default_rng(727)
    device = torch.device("cuda")
    model = DLRM(cfg).to(device)
    n_params = sum(p.numel() for p in model.parameters())
    print(f"{n_params / 1e6:.1f}M parameters ({4 * n_params / 2**20:.0f} MiB)")
    opt = torch.optim.Adagrad(model.parameters(), lr=cfg.lr, eps=1e-8)
    criterion = nn.BCEWithLogitsLoss()

    for step in range(cfg.steps):
        dense, sparse, y = make_batch(cfg, rng, device)
        opt.zero_grad()
        loss = criterion(model(dense, sparse), y)
        loss.backward()
        opt.step()
        if step % 2 == 1:
            print(f"step {step} bce {loss.item():.4f} mem {torch.cuda.memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    scores, labels = [], []
    with torch.no_grad():
        for _ in range(2):
            dense, sparse, y = make_batch(cfg, rng, device)
            scores.append(torch.sigmoid(model(dense, sparse)).cpu().numpy())
            labels.append(y.cpu().numpy())
    auc = roc_auc_score(np.concatenate(labels), np.concatenate(scores))
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "dlrm.pt")
        torch.save(model.state_dict(), path)
        size = os.path.getsize(path) / 2**20
    print(f"AUC {auc:.4f}, checkpoint {size:.0f} MiB, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
