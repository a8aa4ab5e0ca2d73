"""FT-Transformer on a Kaggle style table (categoricals + numerics), with a pseudo-labelling round."""
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

torch.manual_seed(11)
np.random.seed(11)
DEVICE = "cuda"
N_TRAIN, N_TEST = 8192, 4096
N_NUM = 60
CARDS = [12, 7, 300, 55, 4, 1200, 31, 90]
D = 128
DEPTH = 4
BATCH = 1024
EPOCHS = 1


class FeatureTokenizer(nn.Module):
    def __init__(self, n_num, cards, d):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_num, d) * 0.02)
        self.bias = nn.Parameter(torch.zeros(n_num, d))
        self.cats = nn.ModuleList([nn.Embedding(c, d) for c in cards])
        self.cls = nn.Parameter(torch.zeros(1, 1, d))

    def forward(self, num, cat):
        t_num = num.unsqueeze(-1) * self.weight + self.bias
        t_cat = torch.stack([e(cat[:, i]) for i, e in enumerate(self.cats)], 1)
        return torch.cat([self.cls.expand(len(num), -1, -1), t_num, t_cat], 1)


class ReGLUBlock(nn.Module):
    def __init__(self, d, heads=8, drop=0.1):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, heads, dropout=drop, batch_first=True)
        self.up = nn.Linear(d, 2 * d)
        self.down = nn.Linear(d, d)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = self.n1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        a, b = self.up(self.n2(x)).chunk(2, -1)
        return x + self.down(self.drop(a * F.relu(b)))


class FTTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = FeatureTokenizer(N_NUM, CARDS, D)
        self.blocks = nn.ModuleList([ReGLUBlock(D) for _ in range(DEPTH)])
        self.head = nn.Sequential(nn.LayerNorm(D), nn.ReLU(), nn.Linear(D, 1))

    def forward(self, num, cat):
        x = self.tok(num, cat)
        for b in self.blocks:
            x = b(x)
        return self.head(x[:, 0]).squeeze(-1)


def make(n):
    num = torch.randn(n, N_NUM)
    cat = torch.stack([torch.randint(0, c, (n,)) for c in CARDS], 1)
    logit = num[:, :5].sum(1) * 0.5 + (cat[:, 0] % 3 - 1).float()
    y = (torch.rand(n) < logit.sigmoid()).float()
    return num, cat, y


def iterate(num, cat, y, batch, shuffle=True):
    perm = torch.randperm(len(num), device=num.device) if shuffle else torch.arange(len(num), device=num.device)
    for i in range(0, len(num), batch):
        j = perm[i : i + batch]
        yield num[j], cat[j], y[j]


@torch.no_grad()
def predict(model, num, cat):
    model.eval()
    return torch.cat([model(n, c).sigmoid() for n, c, _ in iterate(num, cat, num[:, 0], 4096, False)])


def fit(model, data, epochs, lr):
    opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-5)
    for ep in range(epochs):
        model.train()
        tot = 0.0
        for n, c, y in iterate(*data, BATCH):
            loss = F.binary_cross_entropy_with_logits(model(n, c), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(y)
        print(f"  epoch {ep}: {tot / len(data[0]):.4f}")


if __name__ == "__main__":
    t0 = time.time()
    train = [t.to(DEVICE) for t in make(N_TRAIN)]
    test = [t.to(DEVICE) for t in make(N_TEST)]
    model = FTTransformer().to(DEVICE)
    fit(model, train, EPOCHS, 1e-3)
    p = predict(model, test[0], test[1])
    print("AUC", round(roc_auc_score(test[2].cpu().numpy(), p.cpu().numpy()), 4))
    sure = (p - 0.5).abs() > p.sub(0.5).abs().quantile(0.75)
    joined = [torch.cat([train[0], test[0][sure]]), torch.cat([train[1], test[1][sure]]),
              torch.cat([train[2], (p[sure] > 0.5).float()])]
    fit(model, joined, EPOCHS, 3e-4)
    p = predict(model, test[0], test[1])
    print("AUC after pseudo labels", round(roc_auc_score(test[2].cpu().numpy(), p.cpu().numpy()), 4))
    print(f"{time.time() - t0:.1f}s {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
