"""Self-attentive sequential recommendation; full softmax over the item catalogue, evaluation with recall@k."""
import argparse
import logging
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("sasrec")


class Sessions(Dataset):
    def __init__(self, users, items, maxlen, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.seqs = []
        for _ in range(users):
            n = int(torch.randint(5, maxlen + 2, (1,), generator=g))
            start = int(torch.randint(1, items, (1,), generator=g))
            steps = torch.randint(1, 20, (n,), generator=g).cumsum(0)
            self.seqs.append((start + steps) % (items - 1) + 1)
        self.maxlen = maxlen

    def __len__(self):
        return len(self.seqs)

    def __getitem__(self, u):
        s = self.seqs[u][-(self.maxlen + 1):]
        inp = torch.zeros(self.maxlen, dtype=torch.long)
        tgt = torch.zeros(self.maxlen, dtype=torch.long)
        inp[-(len(s) - 1):] = s[:-1]
        tgt[-(len(s) - 1):] = s[1:]
        return inp, tgt


class SASRec(nn.Module):
    def __init__(self, items, maxlen, d, heads, blocks, dropout):
        super().__init__()
        self.item = nn.Embedding(items + 1, d, padding_idx=0)
        self.pos = nn.Embedding(maxlen, d)
        self.drop = nn.Dropout(dropout)
        layer = nn.TransformerEncoderLayer(d, heads, d * 4, dropout, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, blocks, norm=nn.LayerNorm(d), enable_nested_tensor=False)
        nn.init.normal_(self.item.weight, std=0.02)

    def forward(self, x):
        L = x.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(L, device=x.device)
        h = self.drop(self.item(x) * self.item.embedding_dim ** 0.5 + self.pos.weight[:L])
        h = h * (x != 0).unsqueeze(-1)
        return self.enc(h, mask=mask, is_causal=True)


def loss_fn(model, h, tgt):
    keep = tgt != 0
    logits = h[keep] @ model.item.weight.t()         # (tokens, items)
    return F.cross_entropy(logits, tgt[keep])


@torch.no_grad()
def recall(model, loader, device, k=20):
    model.eval()
    hit = n = 0
    for x, t in loader:
        x, t = x.to(device), t.to(device)
        scores = model(x)[:, -1] @ model.item.weight.t()
        scores.scatter_(1, x, float("-inf"))
        hit += (scores.topk(k).indices == t[:, -1:]).any(1).sum().item()
        n += len(x)
    return hit / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--items", type=int, default=20000)
    p.add_argument("--users", type=int, default=640)
    p.add_argument("--maxlen", type=int, default=100)
    p.add_argument("--dim", type=int, default=128)
    p.add_argument("--blocks", type=int, default=2)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--epochs", type=int, default=1)
    a = p.parse_args()
    torch.manual_seed(1)
    device = torch.device("cuda")
    loader = DataLoader(Sessions(a.users, a.items, a.maxlen), batch_size=a.batch, shuffle=True, drop_last=True)
    test = DataLoader(Sessions(a.users // 2, a.items, a.maxlen, 1), batch_size=a.batch * 2)
    model = SASRec(a.items, a.maxlen, a.dim, 4, a.blocks, 0.2).to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98))
    for epoch in range(a.epochs):
        model.train()
        for x, t in loader:
            x, t = x.to(device), t.to(device)
            loss = loss_fn(model, model(x), t)
            opt.zero_grad()
            loss.backward()
            opt.step()
            log.info("epoch %d loss %.4f tokens %d", epoch, loss.item(), int((t != 0).sum()))
        log.info("recall@20 %.4f", recall(model, test, device))
    log.info("peak memory %.0f MiB", torch.cuda.max_memory_allocated() / 2 ** 20)


if __name__ == "__main__":
    main()
