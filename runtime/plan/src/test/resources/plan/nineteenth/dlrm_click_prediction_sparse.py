import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

# DLRM for click prediction: EmbeddingBag tables with sparse gradients (SparseAdam), dense MLPs with Adagrad.

TABLES = [400_000, 250_000, 120_000, 60_000, 30_000, 10_000, 3_000, 900, 200, 40]
EMB = 96
DENSE = 13
HOTS = [1, 1, 5, 1, 20, 1, 1, 3, 1, 1]
BATCH = 8192
STEPS = 6
dev = "cuda"


class Clicks(Dataset):
    """Each item is already a whole batch (that is how our reader works)."""

    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed + i)
        dense = torch.rand(BATCH, DENSE, generator=g).mul(1000).log1p()
        ids, offs = [], []
        for rows, hot in zip(TABLES, HOTS):
            if hot == 1:
                n = torch.ones(BATCH, dtype=torch.long)
            else:
                n = torch.randint(0, hot + 1, (BATCH,), generator=g)
            u = torch.rand(int(n.sum()), generator=g)
            ids.append((u.pow(3) * rows).long().clamp_max(rows - 1))
            offs.append(torch.cat([torch.zeros(1, dtype=torch.long), n.cumsum(0)[:-1]]))
        click = (torch.rand(BATCH, generator=g) < 0.05 + 0.1 * (dense[:, 0] > 6)).float()
        return dense, ids, offs, click


def mlp(sizes, last_act=True):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if last_act or i < len(sizes) - 2:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


class DLRM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(n, EMB, mode="sum", sparse=True) for n in TABLES)
        for t in self.tables:
            nn.init.uniform_(t.weight, -t.num_embeddings**-0.5, t.num_embeddings**-0.5)
        self.bottom = mlp([DENSE, 512, 256, EMB])
        f = len(TABLES) + 1
        self.register_buffer("tri", torch.tril_indices(f, f, -1))
        self.top = mlp([f * (f - 1) // 2 + EMB, 1024, 1024, 512, 256, 1], last_act=False)

    def forward(self, dense, ids, offs):
        d = self.bottom(dense)
        feats = [d] + [t(i, o) for t, i, o in zip(self.tables, ids, offs)]
        z = torch.stack(feats, 1)
        inter = torch.bmm(z, z.transpose(1, 2))[:, self.tri[0], self.tri[1]]
        return self.top(torch.cat([d, inter], 1)).squeeze(1)


def move(b):
    dense, ids, offs, click = b
    return dense.to(dev), [i.to(dev) for i in ids], [o.to(dev) for o in offs], click.to(dev)


def auc(score, label):
    order = score.argsort()
    rank = torch.empty_like(order).scatter_(0, order, torch.arange(1, len(order) + 1, device=order.device))
    pos = label.sum()
    neg = len(label) - pos
    return ((rank[label > 0].sum() - pos * (pos + 1) / 2) / (pos * neg)).item()


def main():
    torch.manual_seed(3)
    model = DLRM().to(dev)
    emb_params = [t.weight for t in model.tables]
    dense_params = [p for n, p in model.named_parameters() if not n.startswith("tables")]
    opts = [
        torch.optim.SparseAdam(emb_params, lr=1e-3),
        torch.optim.Adagrad(dense_params, lr=0.01, initial_accumulator_value=0.1),
    ]
    print(f"{sum(p.numel() for p in emb_params) / 1e6:.0f}M embedding weights,"
          f" {sum(p.numel() for p in dense_params) / 1e6:.2f}M dense")
    train = DataLoader(Clicks(STEPS, 100), batch_size=None, num_workers=1)
    test = DataLoader(Clicks(2, 9000), batch_size=None)
    model.train()
    for i, b in enumerate(train):
        dense, ids, offs, click = move(b)
        loss = F.binary_cross_entropy_with_logits(model(dense, ids, offs), click)
        for o in opts:
            o.zero_grad(set_to_none=True)
        loss.backward()
        for o in opts:
            o.step()
        print(f"step {i} logloss {loss.item():.5f} mem {torch.cuda.memory_allocated() / 1e6:.0f} MB")
    model.eval()
    scores, labels = [], []
    with torch.no_grad():
        for b in test:
            dense, ids, offs, click = move(b)
            scores.append(model(dense, ids, offs))
            labels.append(click)
    print("auc", round(auc(torch.cat(scores), torch.cat(labels)), 4))
    print(f"max {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
