"""Feature-tokenizer transformer for a churn table (numeric + categorical), with sklearn for splitting and AUC."""
import copy

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import QuantileTransformer

RNG = np.random.default_rng(10)
torch.manual_seed(10)
DEV = "cuda"
ROWS, N_NUM, CARD = 9000, 40, [5, 12, 31, 7, 400, 2, 2, 50, 1000, 24]
D, LAYERS, HEADS = 192, 3, 8
BATCH, MAX_STEPS = 768, 7
PATIENCE = 3


def make_table():
    num = RNG.gamma(2.0, 1.5, (ROWS, N_NUM)).astype("float32")
    cat = np.stack([RNG.integers(0, c, ROWS) for c in CARD], 1)
    logit = 0.5 * num[:, 0] - 0.4 * num[:, 3] + (cat[:, 0] == 2) * 1.5 - (cat[:, 5] == 1) + 0.2 * num[:, 1] * num[:, 2]
    y = (logit + RNG.normal(0, 1, ROWS) > np.median(logit)).astype("float32")
    num[RNG.random(num.shape) < 0.02] = np.nan
    return num, cat, y


class Tokenizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(N_NUM, D) * D**-0.5)
        self.b = nn.Parameter(torch.zeros(N_NUM + len(CARD), D))
        self.emb = nn.Embedding(sum(CARD), D)
        self.register_buffer("offset", torch.tensor([0] + CARD[:-1]).cumsum(0))
        self.cls = nn.Parameter(torch.randn(1, 1, D) * D**-0.5)

    def forward(self, num, cat):
        tok = torch.cat([num[..., None] * self.w, self.emb(cat + self.offset)], 1) + self.b
        return torch.cat([self.cls.expand(len(num), -1, -1), tok], 1)


class ReGLU(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, -1)
        return a * torch.relu(b)


class Layer(nn.Module):
    def __init__(self, first):
        super().__init__()
        self.n1 = nn.Identity() if first else nn.LayerNorm(D)
        self.att = nn.MultiheadAttention(D, HEADS, dropout=0.2, batch_first=True)
        self.n2 = nn.LayerNorm(D)
        self.ff = nn.Sequential(nn.Linear(D, 2 * D * 4 // 3), ReGLU(), nn.Dropout(0.1), nn.Linear(D * 4 // 3, D))

    def forward(self, x):
        h = self.n1(x)
        x = x + self.att(h, h, h, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class FTTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = Tokenizer()
        self.layers = nn.ModuleList(Layer(i == 0) for i in range(LAYERS))
        self.head = nn.Sequential(nn.LayerNorm(D), nn.ReLU(), nn.Linear(D, 1))

    def forward(self, num, cat):
        x = self.tok(num, cat)
        for l in self.layers:
            x = l(x)
        return self.head(x[:, 0]).squeeze(-1)


@torch.no_grad()
def predict(model, num, cat, bs=2048):
    model.eval()
    out = [torch.sigmoid(model(n, c)).cpu() for n, c in zip(num.split(bs), cat.split(bs))]
    model.train()
    return torch.cat(out).numpy()


num, cat, y = make_table()
tr, te = train_test_split(np.arange(ROWS), test_size=0.2, random_state=0, stratify=y)
qt = QuantileTransformer(n_quantiles=200, output_distribution="normal", random_state=0).fit(num[tr])
num = np.nan_to_num(qt.transform(num)).astype("float32")
# the whole table is on the GPU
NUM, CAT, Y = (torch.as_tensor(v).to(DEV) for v in (num, cat, y))
tr_t, te_t = torch.as_tensor(tr).to(DEV), torch.as_tensor(te).to(DEV)

model = FTTransformer().to(DEV)
wd = [p for n, p in model.named_parameters() if p.ndim > 1 and "tok" not in n]
nowd = [p for n, p in model.named_parameters() if not (p.ndim > 1 and "tok" not in n)]
opt = torch.optim.AdamW([{"params": wd}, {"params": nowd, "weight_decay": 0.0}], lr=3e-4, weight_decay=1e-4)
loss_fn = nn.BCEWithLogitsLoss()
best, best_state, bad = 0.0, None, 0
perm = tr_t[torch.randperm(len(tr_t), device=DEV)]
for step, idx in enumerate(perm.split(BATCH)[:MAX_STEPS]):
    loss = loss_fn(model(NUM[idx], CAT[idx]), Y[idx])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2 == 1 or step == MAX_STEPS - 1:
        auc = roc_auc_score(y[te], predict(model, NUM[te_t], CAT[te_t]))
        print(f"step {step} loss {loss.item():.4f} auc {auc:.4f}")
        if auc > best:
            best, best_state, bad = auc, copy.deepcopy(model.state_dict()), 0
        else:
            bad += 1
            if bad >= PATIENCE:
                break
model.load_state_dict(best_state)
print("best auc", round(roc_auc_score(y[te], predict(model, NUM[te_t], CAT[te_t])), 4))
print("cuda peak", torch.cuda.max_memory_allocated() / 1e6, "MB")
