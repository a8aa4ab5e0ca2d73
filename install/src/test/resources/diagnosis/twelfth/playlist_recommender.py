# limit: 2.0
import torch
from torch import nn

N_ITEMS = 2_500_000
DIM = 64


class TwoTower(nn.Module):
    def __init__(self, n_items, dim):
        super().__init__()
        self.items = nn.Embedding(n_items, dim)
        self.user = nn.Sequential(nn.Linear(dim, 256), nn.ReLU(), nn.Linear(256, dim))

    def forward(self, history, pos, neg):
        ids = torch.cat([history, pos[:, None], neg], dim=1)
        e = self.items(ids)
        h = history.shape[1]
        u = self.user(e[:, :h].mean(1))
        p = (u * e[:, h]).sum(-1)
        n = (u[:, None] * e[:, h + 1:]).sum(-1)
        return p, n


def batch(bs, dev):
    return (torch.randint(0, N_ITEMS, (bs, 20), device=dev),
            torch.randint(0, N_ITEMS, (bs,), device=dev),
            torch.randint(0, N_ITEMS, (bs, 8), device=dev))


def bpr(p, n):
    return -torch.nn.functional.logsigmoid(p[:, None] - n).mean()


@torch.no_grad()
def hit_rate(model, dev, rounds=5):
    hits = 0.0
    for _ in range(rounds):
        p, n = model(*batch(1024, dev))
        hits += (p > n.max(-1).values).float().mean().item()
    return hits / rounds


def main():
    torch.manual_seed(8)
    dev = torch.device("cuda")
    with dev:
        model = TwoTower(N_ITEMS, DIM)
    optim = torch.optim.Adam(model.parameters(), lr=1e-3)
    print("untrained hit rate", hit_rate(model, dev))
    for epoch in range(3):
        for step in range(20):
            p, n = model(*batch(1024, dev))
            loss = bpr(p, n)
            optim.zero_grad()
            loss.backward()
            optim.step()
        print(epoch, loss.item(), hit_rate(model, dev))


if __name__ == "__main__":
    main()
