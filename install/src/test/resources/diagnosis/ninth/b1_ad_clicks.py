# limit: 2.2
import torch
from torch import nn

dev = torch.device("cuda")
HASHED_IDS, DIM, SLOTS = 3_000_000, 64, 26


class ClickModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(HASHED_IDS, DIM, device=dev)
        self.deep = nn.Sequential(
            nn.Linear(SLOTS * DIM, 256), nn.ReLU(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 1)).to(dev)

    def forward(self, ids):
        e = self.table(ids)
        square_of_sum = e.sum(1).pow(2)
        sum_of_square = e.pow(2).sum(1)
        pairwise = 0.5 * (square_of_sum - sum_of_square).sum(1)
        return self.deep(e.flatten(1)).squeeze(1) + pairwise / DIM


def impressions(batch=2048):
    ids = torch.randint(0, HASHED_IDS, (batch, SLOTS), device=dev)
    clicked = (torch.rand(batch, device=dev) < 0.03).float()
    return ids, clicked


def train(steps=40):
    model = ClickModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    lossfn = nn.BCEWithLogitsLoss()
    smooth = None
    for step in range(steps):
        ids, clicked = impressions()
        loss = lossfn(model(ids), clicked)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        value = loss.item()
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        if step % 5 == 0:
            print(f"step {step} logloss {smooth:.4f}")
    return model


train()
