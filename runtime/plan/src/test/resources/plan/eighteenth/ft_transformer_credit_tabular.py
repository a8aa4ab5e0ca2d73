"""FT-Transformer for a credit default table (numeric + categorical), class imbalance, early stopping.

Preprocessing by scikit-learn; everything is moved to the GPU once and indexed there.
"""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import QuantileTransformer

RNG = np.random.default_rng(8)
N_TRAIN, N_VALID = 20000, 4000
N_NUM = 40
CARDS = [4, 7, 12, 25, 60, 150, 400]
D = 192
BLOCKS = 4
BATCH = 1024
MAX_STEPS_PER_EPOCH = 3
EPOCHS = 2


def make_table(n):
    num = RNG.gamma(2.0, 2.0, size=(n, N_NUM)).astype(np.float32)
    cat = np.stack([RNG.integers(0, c, n) for c in CARDS], 1)
    score = num[:, 0] * 0.4 - num[:, 1] * 0.3 + (cat[:, 1] == 2) * 2.0 - 3.2
    y = (RNG.random(n) < 1 / (1 + np.exp(-score))).astype(np.float32)
    return num, cat, y


class Tokenizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(N_NUM, D) * D ** -0.5)
        self.b = nn.Parameter(torch.zeros(N_NUM + len(CARDS), D))
        self.emb = nn.Embedding(sum(CARDS), D)
        self.register_buffer("offset", torch.tensor([0] + CARDS[:-1]).cumsum(0))
        self.cls = nn.Parameter(torch.randn(1, 1, D) * 0.02)

    def forward(self, num, cat):
        t = torch.cat([num.unsqueeze(-1) * self.w, self.emb(cat + self.offset)], 1) + self.b
        return torch.cat([self.cls.expand(len(t), -1, -1), t], 1)


class Block(nn.Module):
    def __init__(self, heads=8, drop=0.1):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.attn = nn.MultiheadAttention(D, heads, dropout=drop, batch_first=True)
        self.l1, self.l2 = nn.Linear(D, 2 * int(D * 4 / 3)), nn.Linear(int(D * 4 / 3), D)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        h = self.n1(x)
        x = x + self.drop(self.attn(h, h, h, need_weights=False)[0])
        a, g = self.l1(self.n2(x)).chunk(2, -1)
        return x + self.l2(self.drop(a * F.relu(g)))


class FTTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = Tokenizer()
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.head = nn.Sequential(nn.LayerNorm(D), nn.ReLU(), nn.Linear(D, 1))

    def forward(self, num, cat):
        x = self.tok(num, cat)
        for b in self.blocks:
            x = b(x)
        return self.head(x[:, 0]).squeeze(-1)


def predict(model, num, cat):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(n, c) for n, c in zip(num.split(2048), cat.split(2048))])


def main():
    torch.manual_seed(8)
    tr, va = make_table(N_TRAIN), make_table(N_VALID)
    qt = QuantileTransformer(n_quantiles=200, output_distribution="normal", random_state=0).fit(tr[0])

    def push(split):
        num, cat, y = split
        return (torch.tensor(qt.transform(num), dtype=torch.float32, device="cuda"),
                torch.tensor(cat, device="cuda"), torch.tensor(y, device="cuda"))

    xn, xc, y = push(tr)
    vn, vc, vy = push(va)
    model = FTTransformer().to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=1e-5, fused=True)
    pos_weight = (1 - y.mean()) / y.mean()
    best_auc, best_state, patience = 0.0, None, 2
    for epoch in range(EPOCHS):
        model.train()
        order = torch.randperm(len(y), device="cuda")
        for idx in order.split(BATCH)[:MAX_STEPS_PER_EPOCH]:
            loss = F.binary_cross_entropy_with_logits(model(xn[idx], xc[idx]), y[idx], pos_weight=pos_weight)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        auc = roc_auc_score(vy.cpu().numpy(), predict(model, vn, vc).cpu().numpy())
        print(f"epoch {epoch} loss {loss.item():.4f} valid AUC {auc:.4f}")
        if auc > best_auc:
            best_auc, best_state = auc, copy.deepcopy(model.state_dict())
        else:
            patience -= 1
            if patience == 0:
                break
    model.load_state_dict(best_state)
    print(f"best AUC {best_auc:.4f}, peak GPU {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
