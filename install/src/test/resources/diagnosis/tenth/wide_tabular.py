# limit: 5
import torch
from torch import nn

WIDTH, DEPTH = 8192, 6


class WideMLP(nn.Module):
    def __init__(self, features=512, device=None):
        super().__init__()
        layers = [nn.Linear(features, WIDTH, device=device), nn.SiLU()]
        for _ in range(DEPTH):
            layers += [nn.Linear(WIDTH, WIDTH, device=device), nn.SiLU()]
        layers.append(nn.Linear(WIDTH, 1, device=device))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x).squeeze(-1)


def fit(model, epochs=5, batches=20):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=1e-2)
    for epoch in range(epochs):
        total = 0.0
        for _ in range(batches):
            x = torch.randn(256, 512, device="cuda")
            y = x[:, :8].sum(1).sin()
            loss = nn.functional.huber_loss(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / batches:.5f}")


if __name__ == "__main__":
    torch.manual_seed(3)
    fit(WideMLP(device="cuda"))
