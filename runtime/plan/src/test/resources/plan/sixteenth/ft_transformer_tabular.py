"""FT-Transformer on a mixed numeric/categorical table; each block is compiled on its own."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler


class FeatureTokenizer(nn.Module):
    def __init__(self, n_num, cards, d):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n_num, d) * 0.02)
        self.b = nn.Parameter(torch.zeros(n_num, d))
        self.register_buffer("offsets", torch.tensor([0] + cards[:-1]).cumsum(0))
        self.emb = nn.Embedding(sum(cards), d)
        self.cls = nn.Parameter(torch.randn(1, 1, d) * 0.02)

    def forward(self, xn, xc):
        num = xn[..., None] * self.w + self.b
        cat = self.emb(xc + self.offsets)
        return torch.cat([self.cls.expand(len(xn), -1, -1), num, cat], 1)


class Block(nn.Module):
    def __init__(self, d, heads, mult=4 / 3):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        h = int(d * mult)
        self.fc1, self.fc2 = nn.Linear(d, 2 * h), nn.Linear(h, d)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + self.out(a.transpose(1, 2).reshape(b, n, d))
        u, g = self.fc1(self.n2(x)).chunk(2, -1)
        return x + self.fc2(u * F.relu(g))  # ReGLU


class FTTransformer(nn.Module):
    def __init__(self, n_num, cards, d=192, layers=3, heads=8):
        super().__init__()
        self.tok = FeatureTokenizer(n_num, cards, d)
        self.blocks = nn.ModuleList([Block(d, heads) for _ in range(layers)])
        self.head = nn.Sequential(nn.LayerNorm(d), nn.ReLU(), nn.Linear(d, 1))

    def forward(self, xn, xc):
        x = self.tok(xn, xc)
        for b in self.blocks:
            x = b(x)
        return self.head(x[:, 0]).squeeze(-1)


def make_table(n, n_num, cards, seed):
    rng = np.random.default_rng(seed)
    xn = rng.normal(size=(n, n_num)).astype(np.float32)
    xc = np.stack([rng.integers(0, c, n) for c in cards], 1)
    logit = xn[:, 0] * xn[:, 1] - 0.5 * xn[:, 2] + 0.3 * (xc[:, 0] % 2)
    y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(np.float32)
    return xn, xc, y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch-size", type=int, default=1024)
    ap.add_argument("--rows", type=int, default=6144)
    ap.add_argument("--no-compile", action="store_true")
    args = ap.parse_args()
    torch.manual_seed(0)
    dev = torch.device("cuda")
    n_num, cards = 24, [8, 40, 300, 12, 5, 1000, 77, 30]
    xn, xc, y = make_table(args.rows, n_num, cards, 0)
    xv, cv, yv = make_table(args.rows // 3, n_num, cards, 1)
    sc = StandardScaler().fit(xn)
    to = lambda a: torch.from_numpy(a).to(dev)
    xn, xc, y = to(sc.transform(xn).astype(np.float32)), to(xc), to(y)
    xv, cv = to(sc.transform(xv).astype(np.float32)), to(cv)

    model = FTTransformer(n_num, cards).to(dev)
    if not args.no_compile:
        for blk in model.blocks:
            blk.compile()
    no_decay = {id(p) for m in model.modules() if isinstance(m, (nn.LayerNorm, FeatureTokenizer)) for p in m.parameters()}
    opt = torch.optim.AdamW([
        {"params": [p for p in model.parameters() if id(p) not in no_decay], "weight_decay": 1e-5},
        {"params": [p for p in model.parameters() if id(p) in no_decay], "weight_decay": 0.0}], lr=1e-4)

    model.train()
    perm = torch.randperm(args.rows, device=dev)
    for i, idx in enumerate(perm.split(args.batch_size)):
        loss = F.binary_cross_entropy_with_logits(model(xn[idx], xc[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"batch {i} loss {loss.item():.4f}")
    model.eval()
    with torch.no_grad():
        scores = torch.cat([model(a, b) for a, b in zip(xv.split(args.batch_size), cv.split(args.batch_size))])
    print(f"auc {roc_auc_score(yv, scores.cpu().numpy()):.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
