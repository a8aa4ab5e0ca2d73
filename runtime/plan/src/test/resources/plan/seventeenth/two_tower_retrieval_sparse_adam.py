# Two-tower retrieval model: big sparse embedding tables (SparseAdam) + dense towers (AdamW),
# sampled softmax over in-batch negatives with logQ correction. Indexing of all items at the end.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

USERS, ITEMS, TAGS = 400_000, 250_000, 2_000
DIM = 96
HIST = 30
BATCH = 2048
STEPS = 6
TAU = 0.05
DEV = "cuda"


class Log(Dataset):
    """click log; item popularity is Zipf-like"""

    def __init__(self, n):
        self.user = torch.randint(USERS, (n,))
        self.item = (torch.rand(n).pow(3) * ITEMS).long()
        self.hist = (torch.rand(n, HIST).pow(3) * ITEMS).long()
        self.hlen = torch.randint(1, HIST + 1, (n,))
        self.tag = torch.randint(TAGS, (n, 4))

    def __len__(self):
        return len(self.user)

    def __getitem__(self, i):
        return self.user[i], self.hist[i], self.hlen[i], self.item[i], self.tag[i]


class Tower(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(i, 512), nn.ReLU(), nn.LayerNorm(512), nn.Linear(512, 256), nn.ReLU(),
                                 nn.Linear(256, 128))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.user_emb = nn.Embedding(USERS, DIM, sparse=True)
        self.item_emb = nn.Embedding(ITEMS, DIM, sparse=True)
        self.tag_emb = nn.EmbeddingBag(TAGS, DIM, mode="mean")
        for e in (self.user_emb, self.item_emb):
            nn.init.normal_(e.weight, std=0.01)
        self.user_tower, self.item_tower = Tower(2 * DIM), Tower(2 * DIM)

    def user(self, u, hist, hlen):
        mask = (torch.arange(HIST, device=u.device)[None] < hlen[:, None]).unsqueeze(-1)
        h = (self.item_emb(hist) * mask).sum(1) / hlen[:, None]
        return self.user_tower(torch.cat([self.user_emb(u), h], -1))

    def item(self, i, tag):
        return self.item_tower(torch.cat([self.item_emb(i), self.tag_emb(tag)], -1))


def main():
    torch.manual_seed(77)
    data = Log(BATCH * STEPS)
    logq = (torch.bincount(data.item, minlength=ITEMS).float() + 1).log().to(DEV)
    model = TwoTower().to(DEV)
    sparse = [model.user_emb.weight, model.item_emb.weight]
    ids = {id(p) for p in sparse}
    dense = [p for p in model.parameters() if id(p) not in ids]
    opt_s = torch.optim.SparseAdam(sparse, lr=1e-3)
    opt_d = torch.optim.AdamW(dense, lr=1e-3)
    for step, batch in enumerate(DataLoader(data, batch_size=BATCH, shuffle=True)):
        u, h, hl, it, tg = (t.to(DEV) for t in batch)
        uv, iv = model.user(u, h, hl), model.item(it, tg)
        logits = uv @ iv.t() / TAU - logq[it][None]
        same = it[None] == it[:, None]
        same.fill_diagonal_(False)
        logits = logits.masked_fill(same, float("-inf"))
        loss = F.cross_entropy(logits, torch.arange(len(u), device=DEV))
        opt_s.zero_grad()
        opt_d.zero_grad()
        loss.backward()
        opt_s.step()
        opt_d.step()
        print(f"step {step} loss {loss.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    with torch.no_grad():
        index = torch.cat([model.item(i, torch.randint(TAGS, (len(i), 4), device=DEV))
                           for i in torch.arange(ITEMS, device=DEV).split(16384)])
        u, h, hl, it, _ = (t[:1024].to(DEV) for t in (data.user, data.hist, data.hlen, data.item, data.tag))
        top = (model.user(u, h, hl) @ index.t()).topk(100, dim=1).indices
        print("recall@100", (top == it[:, None]).any(1).float().mean().item())
    print(f"final peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
