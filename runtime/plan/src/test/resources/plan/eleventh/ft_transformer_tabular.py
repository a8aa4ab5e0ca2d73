"""FT-Transformer for mixed tabular data (numerical + categorical), early stopping skeleton, RMSprop."""
import argparse
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import QuantileTransformer
from torch.utils.data import DataLoader, TensorDataset


class Tokenizer(nn.Module):
    def __init__(self, n_num, cards, d):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n_num, d) * 0.02)
        self.b = nn.Parameter(torch.zeros(n_num + len(cards), d))
        self.register_buffer("offsets", torch.tensor([0] + cards[:-1]).cumsum(0))
        self.emb = nn.Embedding(sum(cards), d)
        self.cls = nn.Parameter(torch.zeros(1, 1, d))

    def forward(self, xn, xc):
        tok = torch.cat([self.w * xn[..., None], self.emb(xc + self.offsets)], 1) + self.b
        return torch.cat([self.cls.expand(len(xn), -1, -1), tok], 1)


class FTTransformer(nn.Module):
    def __init__(self, n_num, cards, d=128, layers=4, heads=8):
        super().__init__()
        self.tok = Tokenizer(n_num, cards, d)
        layer = nn.TransformerEncoderLayer(d, heads, 4 * d, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(d), nn.ReLU(), nn.Linear(d, 1))

    def forward(self, xn, xc):
        return self.head(self.enc(self.tok(xn, xc))[:, 0]).squeeze(-1)


def make_table(rows, n_num, cards, seed):
    rng = np.random.default_rng(seed)
    xn = rng.gamma(2.0, 1.0, (rows, n_num)) * rng.lognormal(size=n_num)
    xc = np.stack([rng.integers(0, c, rows) for c in cards], 1)
    score = np.log1p(xn) @ rng.normal(size=n_num) + sum(rng.normal(size=c)[xc[:, j]] for j, c in enumerate(cards))
    y = (score > np.median(score)).astype(np.float32)
    xn = QuantileTransformer(n_quantiles=200, output_distribution="normal", random_state=0).fit_transform(xn)
    return torch.tensor(xn, dtype=torch.float32), torch.tensor(xc), torch.tensor(y)


@torch.no_grad()
def auc(model, tensors, bs, device):
    model.eval()
    outs = [model(a.to(device), b.to(device)).cpu() for a, b in zip(tensors[0].split(bs), tensors[1].split(bs))]
    return roc_auc_score(tensors[2].numpy(), torch.cat(outs).numpy())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rows", type=int, default=9000)
    ap.add_argument("--bs", type=int, default=1024)
    ap.add_argument("--eval-bs", type=int, default=4096)
    ap.add_argument("--epochs", type=int, default=1)
    ap.add_argument("--d", type=int, default=128)
    a = ap.parse_args()
    torch.manual_seed(12)
    cards = [7, 50, 365, 12, 1000, 3, 24, 90]
    n_num = 36
    xn, xc, y = make_table(a.rows, n_num, cards, 12)
    n_tr = int(a.rows * 0.6)
    dl = DataLoader(TensorDataset(xn[:n_tr], xc[:n_tr], y[:n_tr]), batch_size=a.bs, shuffle=True)
    model = FTTransformer(n_num, cards, a.d).to("cuda")
    opt = torch.optim.RMSprop(model.parameters(), lr=2e-4, alpha=0.95, momentum=0.5)
    lossf = nn.BCEWithLogitsLoss()
    best, tmp = 0.0, tempfile.mkdtemp()
    for epoch in range(a.epochs):
        model.train()
        for i, (bn, bc, by) in enumerate(dl):
            loss = lossf(model(bn.to("cuda"), bc.to("cuda")), by.to("cuda"))
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"ep {epoch} it {i} rows {len(by)} loss {loss.item():.4f}")
        score = auc(model, (xn[n_tr:], xc[n_tr:], y[n_tr:]), a.eval_bs, "cuda")
        if score > best:
            best = score
            torch.save(model.state_dict(), os.path.join(tmp, "best.pt"))
    model.load_state_dict(torch.load(os.path.join(tmp, "best.pt"), map_location="cuda", weights_only=True))
    print(f"best auc {best:.3f}; peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
