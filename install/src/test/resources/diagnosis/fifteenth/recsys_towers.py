# limit: 1.7
"""Two-tower recommender. Gradients of eight small batches are summed before each update."""
import torch
import torch.nn as nn
import torch.nn.functional as F

USERS = ITEMS = 1_000_000
DIM = 64
ACCUM = 8


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(USERS, DIM)
        self.item = nn.Embedding(ITEMS, DIM)
        self.mix_u = nn.Sequential(nn.Linear(DIM, 128), nn.ReLU(), nn.Linear(128, DIM))
        self.mix_i = nn.Sequential(nn.Linear(DIM, 128), nn.ReLU(), nn.Linear(128, DIM))

    def forward(self, u, i):
        a = F.normalize(self.mix_u(self.user(u)), dim=1)
        b = F.normalize(self.mix_i(self.item(i)), dim=1)
        return a @ b.T / 0.07


def interactions(n, bs=1024):
    g = torch.Generator().manual_seed(9)
    for _ in range(n):
        yield (torch.randint(0, USERS, (bs,), generator=g).cuda(),
               torch.randint(0, ITEMS, (bs,), generator=g).cuda())


torch.manual_seed(0)
with torch.device("cuda"):
    model = Towers()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

seen = 0.0
for n, (u, i) in enumerate(interactions(64), start=1):
    logits = model(u, i)
    loss = F.cross_entropy(logits, torch.arange(len(u), device="cuda")) / ACCUM
    loss.backward()
    seen += loss.item()
    print("micro batch", n, torch.cuda.memory_allocated() >> 20, "MiB")
    if n % ACCUM == 0:
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        print("update", n // ACCUM, "loss", seen)
        seen = 0.0
