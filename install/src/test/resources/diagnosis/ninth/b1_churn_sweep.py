# limit: 1.35
import torch
import torch.nn as nn
import torch.nn.functional as F

DEV = "cuda"
FEATURES, WIDTH = 256, 4096


class ChurnNet(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        sizes = [FEATURES] + [WIDTH] * 4
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(dropout)]
        self.net = nn.Sequential(*layers, nn.Linear(WIDTH, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def data(batch=512):
    x = torch.randn(batch, FEATURES, device=DEV)
    return x, (x[:, :4].sum(1) > 0).float()


def fit(lr, dropout, steps=60):
    torch.manual_seed(0)
    model = ChurnNet(dropout).to(DEV)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        x, y = data()
        loss = F.binary_cross_entropy_with_logits(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, optimizer, loss.item()


def evaluate(model):
    model.eval()
    with torch.no_grad():
        x, y = data(4096)
        return ((model(x) > 0).float() == y).float().mean().item()


results = {}
for lr in (1e-4, 3e-4, 1e-3):
    for dropout in (0.0, 0.2):
        model, optimizer, loss = fit(lr, dropout)
        results[lr, dropout] = {"model": model, "optimizer": optimizer, "accuracy": evaluate(model)}
        print(lr, dropout, "loss", loss, "accuracy", results[lr, dropout]["accuracy"])
best = max(results, key=lambda key: results[key]["accuracy"])
print("best", best)
