# limit: 3.2
"""SIGN-like preprocessing: standardise the features, diffuse them, then fit a linear probe."""
import torch
import torch.nn as nn

NODES, DIM, CLASSES = 2_000_000, 256, 47
device = torch.device("cuda")


def load_features():
    x = torch.empty(NODES, DIM, device=device)
    for part in x.split(100_000):
        part.normal_(2.0, 3.0)
    return x


def diffuse(x, neighbours, block=100_000):
    for first in range(0, x.shape[0], block):
        ids = neighbours[first : first + block]
        x[first : first + block].mul_(0.5).add_(x[ids], alpha=0.5)
    return x


x = load_features()
print("loaded", x.shape)
x = (x - x.mean(0)) / x.std(0)
neighbours = torch.randint(0, NODES, (NODES,), device=device)
x = diffuse(x, neighbours)

probe = nn.Linear(DIM, CLASSES).to(device)
opt = torch.optim.Adam(probe.parameters(), lr=1e-2)
labels = torch.randint(0, CLASSES, (NODES,), device=device)
for step in range(100):
    idx = torch.randint(0, NODES, (10_000,), device=device)
    loss = nn.functional.cross_entropy(probe(x[idx]), labels[idx])
    opt.zero_grad()
    loss.backward()
    opt.step()
print("probe loss", loss.item())
