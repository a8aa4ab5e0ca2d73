# limit: 2
import torch
import torch.nn as nn

USERS, ITEMS, DIM = 200_000, 50_000, 64


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(USERS, DIM)
        self.item = nn.Embedding(ITEMS, DIM)
        self.proj = nn.Linear(DIM, DIM)
        self._scores = {}

    def scores(self, first, count):
        """Scores of users first … first + count for all items; asked for again by the other metrics."""
        key = (first, count)
        if key not in self._scores:
            ids = torch.arange(first, first + count, device="cuda")
            u = self.proj(self.user(ids))
            self._scores[key] = u @ self.item.weight.T
        return self._scores[key]


class Recall:
    def __init__(self, k):
        self.k, self.hits, self.seen = k, 0, 0

    def add(self, scores, clicked):
        top = scores.topk(self.k, dim=1).indices
        self.hits += (top == clicked).any(1).sum().item()
        self.seen += clicked.shape[0]

    def value(self):
        return self.hits / max(1, self.seen)


model = TwoTower().cuda().eval()
metrics = [Recall(10), Recall(50), Recall(200)]
BATCH = 128
with torch.no_grad():
    for r in range(400):
        clicked = torch.randint(0, ITEMS, (BATCH, 1), device="cuda")
        for metric in metrics:
            metric.add(model.scores(r * BATCH, BATCH), clicked)
        if r % 20 == 0:
            print(r, *(f"{m.value():.4f}" for m in metrics))
