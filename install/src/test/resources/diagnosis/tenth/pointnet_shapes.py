# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F

NUM_POINTS = 8192
BATCH = 32
device = "cuda"


class SharedMLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.norms = nn.ModuleList(nn.BatchNorm1d(b) for b in sizes[1:])

    def forward(self, x):
        for layer, norm in zip(self.layers, self.norms):
            x = F.relu(norm(layer(x)))
        return x


class PointNet(nn.Module):
    def __init__(self, classes=40):
        super().__init__()
        self.point = SharedMLP([3, 64, 64, 128, 1024])
        self.head = nn.Sequential(nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, classes))

    def forward(self, pts):
        b, n, _ = pts.shape
        feats = self.point(pts.reshape(b * n, 3)).view(b, n, -1)
        return self.head(feats.max(dim=1).values)


model = PointNet().to(device)
optim = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)

for epoch in range(3):
    correct = 0
    for i in range(10):
        clouds = torch.rand(BATCH, NUM_POINTS, 3, device=device) * 2 - 1
        labels = torch.randint(0, 40, (BATCH,), device=device)
        out = model(clouds)
        loss = F.cross_entropy(out, labels, label_smoothing=0.1)
        optim.zero_grad()
        loss.backward()
        optim.step()
        correct += (out.argmax(1) == labels).sum().item()
    print(f"epoch {epoch}: loss {loss.item():.3f} acc {correct / (10 * BATCH):.3f}")
