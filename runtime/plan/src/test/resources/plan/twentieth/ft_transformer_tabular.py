"""FT-Transformer on a synthetic table (numeric + categorical), early stopping, quantile preprocessing by sklearn."""
import copy

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import make_regression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import QuantileTransformer


class FeatureTokenizer(nn.Module):
    def __init__(self, n_num, cards, d):
        super().__init__()
        self.w = nn.Parameter(torch.empty(n_num, d))
        self.b = nn.Parameter(torch.zeros(n_num + len(cards), d))
        self.emb = nn.Embedding(sum(cards), d)
        self.cls = nn.Parameter(torch.empty(d))
        self.register_buffer("offsets", torch.tensor([0] + cards[:-1]).cumsum(0))
        for p in (self.w, self.cls):
            nn.init.normal_(p, std=d ** -0.5)

    def forward(self, xn, xc):
        t = torch.cat([xn[..., None] * self.w, self.emb(xc + self.offsets)], 1) + self.b
        return torch.cat([self.cls.expand(len(t), 1, -1), t], 1)


class ReGLU(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, -1)
        return a * torch.relu(b)


class Layer(nn.Module):
    def __init__(self, d, heads, drop):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, dropout=drop, batch_first=True)
        h = int(d * 4 / 3)
        self.ff = nn.Sequential(nn.Linear(d, 2 * h), ReGLU(), nn.Dropout(drop), nn.Linear(h, d))

    def forward(self, x):
        y = self.n1(x)
        x = x + self.att(y, y, y, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class FTTransformer(nn.Module):
    def __init__(self, n_num, cards, d=192, heads=8, layers=3, drop=0.1):
        super().__init__()
        self.tok = FeatureTokenizer(n_num, cards, d)
        self.layers = nn.ModuleList(Layer(d, heads, drop) for _ in range(layers))
        self.head = nn.Sequential(nn.LayerNorm(d), nn.ReLU(), nn.Linear(d, 1))

    def forward(self, xn, xc):
        x = self.tok(xn, xc)
        for layer in self.layers:
            x = layer(x)
        return self.head(x[:, 0]).squeeze(-1)


def make_table(rows=6000, n_num=40, cards=(5, 12, 30, 200, 7, 3, 50, 1000)):
    X, y = make_regression(rows, n_num, n_informative=15, noise=5.0, random_state=0)
    rng = np.random.default_rng(0)
    C = np.stack([rng.integers(0, c, rows) for c in cards], 1)
    y = y + 10 * (C[:, 0] == 2) - 5 * (C[:, 4] > 3)
    return X.astype("float32"), C, y.astype("float32"), list(cards)


def main(batch=768, eval_batch=4096, max_epochs=2, patience=2):
    torch.manual_seed(0)
    device = torch.device("cuda")
    X, C, y, cards = make_table()
    Xtr, Xva, Ctr, Cva, ytr, yva = train_test_split(X, C, y, test_size=0.3, random_state=0)
    qt = QuantileTransformer(output_distribution="normal", n_quantiles=200, random_state=0).fit(Xtr)
    mu, sd = ytr.mean(), ytr.std()
    to = lambda a, dt: torch.as_tensor(np.asarray(a), dtype=dt, device=device)
    tr = (to(qt.transform(Xtr), torch.float32), to(Ctr, torch.long), to((ytr - mu) / sd, torch.float32))
    va = (to(qt.transform(Xva), torch.float32), to(Cva, torch.long), to(yva, torch.float32))
    model = FTTransformer(X.shape[1], cards).to(device)
    no_wd = [p for n, p in model.named_parameters() if n.endswith("bias") or "tok" in n or "n1" in n or "n2" in n]
    ids = {id(p) for p in no_wd}
    opt = torch.optim.AdamW([{"params": [p for p in model.parameters() if id(p) not in ids]},
                             {"params": no_wd, "weight_decay": 0.0}], lr=1e-4, weight_decay=1e-5)
    best, best_state, bad = float("inf"), None, 0
    for epoch in range(max_epochs):
        model.train()
        perm = torch.randperm(len(tr[2]), device=device)
        for idx in perm.split(batch):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(tr[0][idx], tr[1][idx]), tr[2][idx])
            loss.backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            pred = torch.cat([model(a, b) for a, b in zip(va[0].split(eval_batch), va[1].split(eval_batch))])
        rmse = ((pred * float(sd) + float(mu) - va[2]) ** 2).mean().sqrt().item()
        print(f"epoch {epoch} train {loss.item():.4f} val rmse {rmse:.3f}")
        if rmse < best:
            best, best_state, bad = rmse, copy.deepcopy(model.state_dict()), 0
        else:
            bad += 1
            if bad >= patience:
                break
    model.load_state_dict(best_state)
    print(f"best {best:.3f} | peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
