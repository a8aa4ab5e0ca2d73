# limit: 2.0
"""Two tower retrieval with in-batch negatives, recall@50 after every second epoch."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_USERS, N_ITEMS, DIM = 60_000, 200_000, 64
torch.manual_seed(0)


class Tower(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.emb = nn.Embedding(n, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 128), nn.ReLU(), nn.Linear(128, DIM))

    def forward(self, ids):
        return F.normalize(self.mlp(self.emb(ids)), dim=-1)


class Retrieval(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = Tower(N_USERS), Tower(N_ITEMS)

    def loss(self, u, i):
        logits = self.users(u) @ self.items(i).T / 0.07
        return F.cross_entropy(logits, torch.arange(len(u), device=u.device))


def batches(n, size=2048):
    for _ in range(n):
        yield (torch.randint(N_USERS, (size,), device="cuda"),
               torch.randint(N_ITEMS, (size,), device="cuda"))


@torch.no_grad()
def recall_at_50(model, held_out):
    model.eval()
    users, target = held_out
    item_vecs = model.items(torch.arange(N_ITEMS, device="cuda"))
    hits = []
    for u, t in zip(users.split(256), target.split(256)):
        scores = model.users(u) @ item_vecs.T
        top = scores.topk(50, dim=1).indices
        hits.append((top == t[:, None]).any(1))
    model.train()
    return torch.cat(hits).float().mean().item()


def main():
    model = Retrieval().cuda()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    held_out = (torch.arange(8000, device="cuda"),
                torch.randint(N_ITEMS, (8000,), device="cuda"))
    for epoch in range(6):
        total = 0.0
        for u, i in batches(40):
            loss = model.loss(u, i)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / 40:.4f}")
        if epoch % 2 == 1:
            print(f"   recall@50 {recall_at_50(model, held_out):.5f}")


if __name__ == "__main__":
    main()
