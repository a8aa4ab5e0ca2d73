"""SASRec style next-item recommendation with full softmax over a 40k catalogue and recall@k evaluation."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

ITEMS = 40_000
MAXLEN = 50
DIM = 128
LAYERS = 2
HEADS = 2
BATCH = 64
USERS = 384
DEVICE = torch.device("cuda")


class Sessions(Dataset):
    def __init__(self, users, seed):
        rng = np.random.default_rng(seed)
        self.seqs = []
        for _ in range(users):
            n = int(rng.integers(6, MAXLEN + 20))
            start = int(rng.zipf(1.3)) % ITEMS
            steps = rng.integers(1, 50, n).cumsum()
            self.seqs.append(1 + (start + steps) % (ITEMS - 1))

    def __len__(self):
        return len(self.seqs)

    def __getitem__(self, i):
        s = self.seqs[i][-(MAXLEN + 2):]
        inp = np.zeros(MAXLEN, dtype=np.int64)
        tgt = np.zeros(MAXLEN, dtype=np.int64)
        body, nxt = s[:-2], s[1:-1]
        inp[-len(body):] = body
        tgt[-len(nxt):] = nxt
        return inp, tgt, int(s[-1])


class SASRec(nn.Module):
    def __init__(self):
        super().__init__()
        self.item = nn.Embedding(ITEMS, DIM, padding_idx=0)
        self.pos = nn.Embedding(MAXLEN, DIM)
        layer = nn.TransformerEncoderLayer(DIM, HEADS, DIM * 4, dropout=0.2, activation="gelu",
                                           batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(DIM)
        nn.init.normal_(self.item.weight, std=0.02)

    def forward(self, seq):
        h = self.item(seq) * DIM ** 0.5 + self.pos.weight[None]
        causal = nn.Transformer.generate_square_subsequent_mask(MAXLEN, device=seq.device)
        h = self.enc(h, mask=causal, is_causal=True)
        return self.norm(h)

    def scores(self, h):
        return h @ self.item.weight.T


def recall(model, loader, ks=(10, 50)):
    model.eval()
    hits = {k: 0 for k in ks}
    n = 0
    with torch.no_grad():
        for inp, _, held in loader:
            inp, held = inp.to(DEVICE), held.to(DEVICE)
            s = model.scores(model(inp)[:, -1])
            s.scatter_(1, inp, float("-inf"))      # do not recommend seen items
            top = s.topk(max(ks), dim=1).indices
            for k in ks:
                hits[k] += (top[:, :k] == held[:, None]).any(1).sum().item()
            n += len(held)
    return {k: round(v / n, 4) for k, v in hits.items()}


def main():
    torch.manual_seed(31)
    data = Sessions(USERS, 0)
    loader = DataLoader(data, BATCH, shuffle=True, drop_last=True)
    eval_loader = DataLoader(data, 128)
    model = SASRec().to(DEVICE)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), foreach=False)
    for epoch in range(1):
        model.train()
        for step, (inp, tgt, _) in enumerate(loader):
            inp, tgt = inp.to(DEVICE), tgt.to(DEVICE)
            h = model(inp)
            keep = tgt > 0
            logits = model.scores(h[keep])
            loss = F.cross_entropy(logits, tgt[keep])
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"e{epoch} s{step} positions {int(keep.sum())} loss {loss.item():.3f} "
                  f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")
    print("recall", recall(model, eval_loader))


if __name__ == "__main__":
    main()
