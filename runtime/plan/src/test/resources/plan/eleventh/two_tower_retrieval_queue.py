"""Two-tower retrieval: GRU over the user's history, item tower with text hash features, in-batch softmax with
logQ correction plus a memory queue of old item vectors; brute-force top-k evaluation in chunks."""
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence


@dataclass
class Config:
    items: int = 120_000
    hashes: int = 60_000
    words_per_item: int = 12
    dim: int = 192
    hidden: int = 384
    hist: int = 60
    batch: int = 3072
    queue: int = 4
    steps: int = 6
    temp: float = 0.07
    topk: int = 50


class UserTower(nn.Module):
    def __init__(self, c, item_emb):
        super().__init__()
        self.emb = item_emb
        self.gru = nn.GRU(c.dim, c.hidden, num_layers=2, batch_first=True, dropout=0.1)
        self.out = nn.Linear(c.hidden, c.dim)

    def forward(self, hist, length):
        x = pack_padded_sequence(self.emb(hist), length.cpu(), batch_first=True, enforce_sorted=False)
        _, h = self.gru(x)
        return F.normalize(self.out(h[-1]), dim=-1)


class ItemTower(nn.Module):
    def __init__(self, c, item_emb):
        super().__init__()
        self.emb = item_emb
        self.words = nn.EmbeddingBag(c.hashes, c.dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(2 * c.dim, c.hidden), nn.GELU(), nn.LayerNorm(c.hidden), nn.Linear(c.hidden, c.dim))

    def forward(self, ids, words):
        return F.normalize(self.mlp(torch.cat([self.emb(ids), self.words(words)], -1)), dim=-1)


def main():
    torch.manual_seed(404)
    c, dev = Config(), "cuda"
    shared = nn.Embedding(c.items, c.dim, padding_idx=0)
    user, item = UserTower(c, shared).to(dev), ItemTower(c, shared).to(dev)
    item_words = torch.randint(0, c.hashes, (c.items, c.words_per_item), device=dev)
    popularity = torch.rand(c.items).pow(4)
    popularity[0] = 0
    logq = (popularity / popularity.sum()).clamp(min=1e-9).log().to(dev)
    params = {id(p): p for m in (user, item) for p in m.parameters()}.values()
    opt = torch.optim.NAdam(list(params), lr=1e-3)
    queue = deque(maxlen=c.queue)

    for step in range(c.steps):
        hist = torch.multinomial(popularity, c.batch * c.hist, replacement=True).view(c.batch, c.hist)
        length = torch.randint(3, c.hist + 1, (c.batch,))
        length[0] = c.hist
        hist[torch.arange(c.hist)[None] >= length[:, None]] = 0
        pos = torch.multinomial(popularity, c.batch, replacement=True).to(dev)
        hist = hist.to(dev)
        u = user(hist, length)
        v = item(pos, item_words[pos])
        cand = torch.cat([v] + [q[0] for q in queue])
        cand_ids = torch.cat([pos] + [q[1] for q in queue])
        logits = u @ cand.T / c.temp - logq[cand_ids]
        clash = cand_ids[None] == pos[:, None]
        clash[torch.arange(c.batch), torch.arange(c.batch)] = False
        loss = F.cross_entropy(logits.masked_fill(clash, -1e4), torch.arange(c.batch, device=dev))
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue.append((v.detach(), pos))
        print(f"step {step} candidates {len(cand)} loss {loss.item():.3f} peak {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")

    user.eval(), item.eval()
    with torch.no_grad():
        ids = torch.arange(c.items, device=dev)
        index = torch.cat([item(i, item_words[i]) for i in ids.split(16384)])
        q = user(hist[:512], length[:512])
        best = torch.full((512, c.topk), -9.0, device=dev)
        best_id = torch.zeros(512, c.topk, dtype=torch.long, device=dev)
        for base in range(0, c.items, 20000):
            s, i = torch.cat([best, q @ index[base:base + 20000].T], 1).topk(c.topk, 1)
            allid = torch.cat([best_id, ids[base:base + 20000].expand(512, -1)], 1)
            best, best_id = s, allid.gather(1, i)
        print("recall@%d %.4f" % (c.topk, (best_id == pos[:512, None]).any(1).float().mean().item()))


if __name__ == "__main__":
    main()
