"""FT-Transformer for tables (numerical + categorical columns), float32, early stopping on validation AUC."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import QuantileTransformer

ROWS = 20000
BATCH = 1536
STEPS_PER_EPOCH = 3
EPOCHS = 2
NUM_COLS = 28
CARDS = [12, 50, 7, 1000, 365, 24, 5, 90]
D, HEADS, LAYERS = 192, 8, 3
dev = "cuda"


def make_table(seed=0):
    rng = np.random.default_rng(seed)
    num = rng.lognormal(size=(ROWS, NUM_COLS)).astype("float32")
    cat = np.stack([rng.integers(0, c, ROWS) for c in CARDS], 1)
    logit = np.log(num[:, 0]) - np.log(num[:, 1]) + (cat[:, 0] > 6) - 0.5
    y = (rng.random(ROWS) < 1 / (1 + np.exp(-logit))).astype("float32")
    cut = int(ROWS * 0.8)
    qt = QuantileTransformer(n_quantiles=200, output_distribution="normal").fit(num[:cut])
    num = qt.transform(num).astype("float32")
    split = lambda a: (torch.from_numpy(a[:cut]), torch.from_numpy(a[cut:]))
    return split(num), split(cat), split(y)


class Tokenizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(NUM_COLS, D) * D ** -0.5)
        self.b = nn.Parameter(torch.zeros(NUM_COLS + len(CARDS), D))
        self.emb = nn.Embedding(sum(CARDS), D)
        self.register_buffer("off", torch.tensor([0] + CARDS[:-1]).cumsum(0))
        self.cls = nn.Parameter(torch.randn(1, 1, D) * 0.02)

    def forward(self, num, cat):
        t = torch.cat([num[..., None] * self.w, self.emb(cat + self.off)], 1) + self.b
        return torch.cat([self.cls.expand(len(t), -1, -1), t], 1)


class ReGLUBlock(nn.Module):
    def __init__(self, drop=0.1):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.att = nn.MultiheadAttention(D, HEADS, dropout=0.2, batch_first=True)
        hidden = int(D * 4 / 3)
        self.l1, self.l2 = nn.Linear(D, 2 * hidden), nn.Linear(hidden, D)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = self.n1(x)
        x = x + self.att(h, h, h)[0]
        a, g = self.l1(self.n2(x)).chunk(2, -1)
        return x + self.l2(self.drop(a * F.relu(g)))


class FTT(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = Tokenizer()
        self.blocks = nn.ModuleList(ReGLUBlock() for _ in range(LAYERS))
        self.head = nn.Sequential(nn.LayerNorm(D), nn.ReLU(), nn.Linear(D, 1))

    def forward(self, num, cat):
        x = self.tok(num, cat)
        for b in self.blocks:
            x = b(x)
        return self.head(x[:, 0]).squeeze(-1)


def main():
    torch.manual_seed(0)
    (ntr, nva), (ctr, cva), (ytr, yva) = make_table()
    ntr, ctr, ytr = ntr.to(dev), ctr.to(dev), ytr.to(dev)
    model = FTT().to(dev)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=1e-5, foreach=False)
    best, best_state = 0.0, None
    for ep in range(EPOCHS):
        model.train()
        for idx in torch.randperm(len(ytr), device=dev).split(BATCH)[:STEPS_PER_EPOCH]:
            loss = F.binary_cross_entropy_with_logits(model(ntr[idx], ctr[idx]), ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        model.eval()
        with torch.inference_mode():
            preds = [model(a.to(dev), b.to(dev)).sigmoid().cpu() for a, b in zip(nva.split(4096), cva.split(4096))]
        auc = roc_auc_score(yva.numpy(), torch.cat(preds).numpy())
        print(f"epoch {ep} loss {loss.item():.4f} auc {auc:.4f} peak {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")
        if auc > best:
            best, best_state = auc, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)


if __name__ == "__main__":
    main()
