# limit: 4
import torch
from torch import nn

dev = torch.device("cuda")
TRAIN, TEST, COLUMNS, K = 50_000, 30_000, 40, 15


def table(rows, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(rows, COLUMNS, generator=g)
    y = (x[:, 0] + x[:, 3] * x[:, 5] > 0).long()
    return x.to(dev), y.to(dev)


class Projector(nn.Module):
    def __init__(self, out=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(COLUMNS, 128), nn.ReLU(), nn.Linear(128, out))
        self.out = nn.Linear(out, 2)

    def forward(self, x):
        z = self.net(x)
        return z, self.out(z)


def fit(model, x, y, epochs=3, batch=1024):
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        for i in range(0, len(x), batch):
            _, logits = model(x[i:i + batch])
            loss = nn.functional.cross_entropy(logits, y[i:i + batch])
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("epoch", epoch, "loss", loss.item())


@torch.no_grad()
def neighbour_vote(model, train_x, train_y, test_x):
    bank, _ = model(train_x)
    query, _ = model(test_x)
    distance = torch.cdist(query, bank)
    nearest = distance.topk(K, dim=1, largest=False).indices
    return train_y[nearest].float().mean(1) > 0.5


train_x, train_y = table(TRAIN, 1)
test_x, test_y = table(TEST, 2)
model = Projector().to(dev)
fit(model, train_x, train_y)
vote = neighbour_vote(model, train_x, train_y, test_x)
print("accuracy", (vote.long() == test_y).float().mean().item())
