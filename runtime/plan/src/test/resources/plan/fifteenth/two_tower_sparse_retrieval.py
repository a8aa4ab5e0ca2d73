"""Two-tower retrieval model with sparse embedding gradients (SparseAdam) and in-batch sampled softmax."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset

N_USERS = 1_000_000
N_ITEMS = 400_000
N_CATS = 5_000
DIM = 96
HISTORY = 30
BATCH = 4096
STEPS = 6
device = "cuda"


class Interactions(IterableDataset):
    def __init__(self, steps, seed=0):
        self.steps, self.seed = steps, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.steps):
            user = torch.randint(N_USERS, (BATCH,), generator=g)
            item = (torch.rand(BATCH, generator=g).pow(3) * N_ITEMS).long()
            hist = (torch.rand(BATCH, HISTORY, generator=g).pow(3) * N_ITEMS).long() + 1
            keep = torch.arange(HISTORY) < torch.randint(1, HISTORY + 1, (BATCH, 1), generator=g)
            yield {"user": user, "item": item + 1, "cat": item % N_CATS, "history": hist * keep}


class UserTower(nn.Module):
    def __init__(self, item_emb):
        super().__init__()
        self.user_emb = nn.Embedding(N_USERS, DIM, sparse=True)
        self.item_emb = item_emb
        self.mlp = nn.Sequential(nn.Linear(2 * DIM, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, DIM))

    def forward(self, user, history):
        mask = (history > 0).float().unsqueeze(-1)
        h = self.item_emb(history) * mask
        pooled = h.sum(1) / mask.sum(1).clamp_min(1)
        return F.normalize(self.mlp(torch.cat([self.user_emb(user), pooled], -1)), dim=-1)


class ItemTower(nn.Module):
    def __init__(self, item_emb):
        super().__init__()
        self.item_emb = item_emb
        self.cat_emb = nn.Embedding(N_CATS, DIM, sparse=True)
        self.mlp = nn.Sequential(nn.Linear(2 * DIM, 256), nn.ReLU(), nn.Linear(256, DIM))

    def forward(self, item, cat):
        return F.normalize(self.mlp(torch.cat([self.item_emb(item), self.cat_emb(cat)], -1)), dim=-1)


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        shared = nn.Embedding(N_ITEMS + 1, DIM, sparse=True)
        self.user, self.item = UserTower(shared), ItemTower(shared)
        self.register_buffer("counts", torch.ones(N_ITEMS + 1))

    def loss(self, b, temperature=0.05):
        u, v = self.user(b["user"], b["history"]), self.item(b["item"], b["cat"])
        self.counts.scatter_add_(0, b["item"], torch.ones_like(b["item"], dtype=torch.float))
        logq = (self.counts[b["item"]] / self.counts.sum()).log()
        logits = u @ v.t() / temperature - logq[None]
        dup = b["item"][None] == b["item"][:, None]
        dup.fill_diagonal_(False)
        logits = logits.masked_fill(dup, -1e4)
        return F.cross_entropy(logits, torch.arange(len(u), device=u.device))


@torch.no_grad()
def recall_at_k(model, b, k=100, chunk=50_000):
    model.eval()
    u = model.user(b["user"][:512], b["history"][:512])
    best_s, best_i = None, None
    for s in range(1, N_ITEMS + 1, chunk):
        ids = torch.arange(s, min(s + chunk, N_ITEMS + 1), device=device)
        score = u @ model.item(ids, (ids - 1) % N_CATS).t()
        top, idx = score.topk(min(k, len(ids)), dim=1)
        idx = ids[idx]
        if best_s is not None:
            top, idx = torch.cat([best_s, top], 1), torch.cat([best_i, idx], 1)
        best_s, sel = top.topk(k, dim=1)
        best_i = idx.gather(1, sel)
    model.train()
    return (best_i == b["item"][:512, None]).any(1).float().mean().item()


def main():
    torch.manual_seed(0)
    model = TwoTower().to(device)
    sparse = [m.weight for m in (model.user.user_emb, model.user.item_emb, model.item.cat_emb)]
    dense = [*model.user.mlp.parameters(), *model.item.mlp.parameters()]
    opts = [torch.optim.SparseAdam(sparse, lr=1e-3), torch.optim.Adam(dense, lr=1e-3)]
    for step, batch in enumerate(DataLoader(Interactions(STEPS), batch_size=None)):
        batch = {k: v.to(device) for k, v in batch.items()}
        loss = model.loss(batch)
        for o in opts:
            o.zero_grad()
        loss.backward()
        for o in opts:
            o.step()
        print(f"step {step} loss {loss.item():.4f} mem {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    print(f"recall@100 {recall_at_k(model, batch):.4f}; peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
