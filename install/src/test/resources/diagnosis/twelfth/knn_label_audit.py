# limit: 2.0
"""Find suspicious labels by the agreement with nearest neighbours."""
import torch
from torch import nn

torch.manual_seed(2)
DEVICE = torch.device("cuda")


def clusters(n, classes=10, dim=64, flip=0.05):
    centers = torch.randn(classes, dim) * 2
    y = torch.randint(0, classes, (n,))
    x = centers[y] + torch.randn(n, dim)
    wrong = torch.rand(n) < flip
    y[wrong] = torch.randint(0, classes, (int(wrong.sum()),))
    return x, y


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64))
        self.cls = nn.Linear(64, 10)

    def forward(self, x):
        z = self.net(x)
        return z, self.cls(z)


def pairwise_sq(a, b):
    diff = a[:, None, :] - b[None, :, :]
    return diff.pow(2).sum(-1)


@torch.no_grad()
def disagreement(model, x, y, k=15):
    z, _ = model(x)
    d = pairwise_sq(z, z)
    d.fill_diagonal_(float("inf"))
    idx = d.topk(k, largest=False).indices
    return (y[idx] != y[:, None]).float().mean(1)


def main():
    x, y = clusters(4000)
    x, y = x.to(DEVICE), y.to(DEVICE)
    model = Embedder().to(DEVICE)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(5):
        for s in range(0, 4000, 500):
            _, out = model(x[s:s + 500])
            loss = nn.functional.cross_entropy(out, y[s:s + 500])
            opt.zero_grad()
            loss.backward()
            opt.step()
        part = disagreement(model, x[:800], y[:800])
        print(f"epoch {epoch} loss {loss.item():.3f} part disagreement {part.mean().item():.3f}")
    score = disagreement(model, x, y)
    print("suspicious:", score.topk(20).indices.tolist())


if __name__ == "__main__":
    main()
