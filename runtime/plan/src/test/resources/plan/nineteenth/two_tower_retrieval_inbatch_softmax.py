"""
Two-tower candidate retrieval.
Users: a GRU over the watch history (packed sequences). Items: id + bag of tags.
Loss: in-batch softmax with logQ correction, plus a memory bank of old item vectors.
After training, all the item vectors are computed and recall@100 is found by brute force.
"""
import math
import os
import tempfile

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence

ITEMS = 150_000
TAGS = 2_000
DIM = 128
HIDDEN = 512
BATCH = 2048
HIST = 60
BANK = 16_384
STEPS = 6
TEMP = 0.05
device = torch.device("cuda")


class ItemTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.id = nn.Embedding(ITEMS, DIM)
        self.tags = nn.EmbeddingBag(TAGS, DIM, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(2 * DIM, 2 * DIM), nn.GELU(), nn.Linear(2 * DIM, DIM))

    def forward(self, item, tags):
        return F.normalize(self.mlp(torch.cat([self.id(item), self.tags(tags)], -1)), dim=-1)


class UserTower(nn.Module):
    def __init__(self, item_emb):
        super().__init__()
        self.item_emb = item_emb  # shared with the item tower
        self.gru = nn.GRU(DIM, HIDDEN, num_layers=2, batch_first=True, dropout=0.1)
        self.proj = nn.Linear(HIDDEN, DIM)

    def forward(self, hist, lens):
        packed = pack_padded_sequence(self.item_emb(hist), lens.cpu(), batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return F.normalize(self.proj(h[-1]), dim=-1)


class Bank:
    def __init__(self):
        self.v = F.normalize(torch.randn(BANK, DIM, device=device), dim=-1)
        self.ids = torch.zeros(BANK, dtype=torch.long, device=device)
        self.ptr = 0

    @torch.no_grad()
    def push(self, v, ids):
        n = len(v)
        idx = (torch.arange(n, device=device) + self.ptr) % BANK
        self.v[idx], self.ids[idx] = v.float(), ids
        self.ptr = (self.ptr + n) % BANK


def main():
    torch.manual_seed(55)
    gen = torch.Generator().manual_seed(55)
    item_tags = torch.randint(0, TAGS, (ITEMS, 6), generator=gen)
    freq = (torch.arange(1, ITEMS + 1).float() ** -0.8)
    freq /= freq.sum()
    logq = freq.log().to(device)

    def batch(n):
        lens = torch.randint(3, HIST + 1, (n,), generator=gen)
        hist = torch.multinomial(freq, n * HIST, replacement=True, generator=gen).view(n, HIST)
        pos = (hist[:, 0] + torch.randint(0, 5, (n,), generator=gen)) % ITEMS
        return hist.to(device), lens, pos.to(device), item_tags[pos].to(device)

    items = ItemTower().to(device)
    users = UserTower(items.id).to(device)
    params = {id(p): p for m in (items, users) for p in m.parameters()}
    opt = torch.optim.Adam(params.values(), lr=2e-3, foreach=True)
    lr = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / 3) / math.sqrt(max(1, s / 3)))
    bank = Bank()
    for step in range(STEPS):
        hist, lens, pos, tags = batch(BATCH)
        u = users(hist, lens)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            v = items(pos, tags)
        v = v.float()
        logits = u @ torch.cat([v, bank.v]).t() / TEMP
        ids = torch.cat([pos, bank.ids])
        logits = logits - logq[ids]
        clash = ids[None] == pos[:, None]
        clash[torch.arange(BATCH), torch.arange(BATCH)] = False
        loss = F.cross_entropy(logits.masked_fill(clash, -1e4), torch.arange(BATCH, device=device))
        opt.zero_grad()
        loss.backward()
        opt.step()
        lr.step()
        bank.push(v.detach(), pos)
        print(f"{step} loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    items.eval(), users.eval()
    with torch.inference_mode():
        index = torch.cat([items(i.to(device), item_tags[i].to(device)) for i in torch.arange(ITEMS).split(30_000)])
        hist, lens, pos, _ = batch(512)
        top = (users(hist, lens) @ index.t()).topk(100).indices
        print("recall@100", (top == pos[:, None]).any(1).float().mean().item())
    with tempfile.NamedTemporaryFile(suffix=".pt") as f:
        torch.save(index.half().cpu(), f.name)
        print("index", os.path.getsize(f.name) // 2**20, "MiB")


if __name__ == "__main__":
    main()
