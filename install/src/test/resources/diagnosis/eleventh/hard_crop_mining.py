# limit: 2.3
import torch
from torch import nn

torch.manual_seed(3)
dev = torch.device("cuda")


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(8, 8, 3, padding=1, groups=8)

    def forward(self, x):
        return self.conv(x[None]).abs().mean()


def candidate():
    return torch.rand(8, 256, 256, device=dev)


@torch.no_grad()
def collect(scorer, n):
    pool = []
    for _ in range(n):
        c = candidate()
        pool.append((scorer(c).item(), c))
    return pool


def mine(pool, every=10):
    """Stratified: one crop in ten, the rest goes."""
    keep = [c for k, (_, c) in enumerate(pool) if k % every == 0]
    pool.clear()
    return keep


def train_on(crops, scorer, opt, bs):
    total = 0.0
    for i in range(0, len(crops), bs):
        x = torch.stack(crops[i:i + bs])
        loss = scorer.conv(x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total


scorer = Scorer().to(dev)
opt = torch.optim.SGD(scorer.parameters(), lr=0.1)
pool = collect(scorer, 1000)
print("collected", len(pool))
crops = mine(pool)
print("kept", len(crops), "small batches:", train_on(crops, scorer, opt, bs=2))
mosaic = torch.zeros(2000, 256, 256, device=dev)
for k in range(2000):
    mosaic[k] = crops[k % len(crops)][k % 8]
print("mosaic", mosaic.mean().item())
