# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda"
POINTS, DIM, DEPTH, GROUND = 4096, 256, 16, 8


class PointBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(DIM, DIM)

    def forward(self, h):
        return h + F.relu(self.lin(h))


class TileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(4, DIM)
        self.blocks = nn.ModuleList(PointBlock() for _ in range(DEPTH))
        self.out = nn.Linear(DIM, GROUND)

    def forward(self, points):
        h = self.inp(points)
        for block in self.blocks:
            h = block(h)
        return self.out(h)


def epoch(model, opt, tiles, labels, batch):
    total = 0.0
    for i in range(0, len(tiles), batch):
        logits = model(tiles[i:i + batch].to(device))
        loss = F.cross_entropy(logits.flatten(0, 1), labels[i:i + batch].to(device).flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total


def fit(model, opt, tiles, labels, batch):
    try:
        return epoch(model, opt, tiles, labels, batch), batch
    except torch.OutOfMemoryError:
        print("batch", batch, "is too large")
        if batch == 1:
            raise
        return fit(model, opt, tiles, labels, batch // 2)


tiles = torch.randn(128, POINTS, 4)
labels = torch.randint(0, GROUND, (128, POINTS))
model = TileNet().to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
batch = 64
for n in range(4):
    loss, batch = fit(model, opt, tiles, labels, batch)
    print("epoch", n, "batch", batch, "loss", loss)
