# limit: 3.5
import torch
from torch import nn

dev = torch.device("cuda")
SLICES, SIDE = 350, 1024


def read_scans():
    scans = torch.empty(SLICES, 1, SIDE, SIDE, device=dev)
    for i in range(SLICES):
        scans[i].normal_(mean=300.0, std=80.0)
    return scans


def standardise(t):
    mean = t.mean()
    spread = t.std() + 1e-6
    return (t - mean) / spread


class SliceNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 7, 4, 3), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(),
            nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 2))

    def forward(self, x):
        return self.net(x)


def train(scans, labels, epochs=2, batch=8):
    model = SliceNet().to(dev)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        order = torch.randperm(len(scans), device=dev)
        total = 0.0
        for i in range(0, len(scans), batch):
            pick = order[i:i + batch]
            loss = nn.functional.cross_entropy(model(scans[pick]), labels[pick])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print("epoch", epoch, "loss", total * batch / len(scans))


scans = read_scans()
labels = torch.randint(0, 2, (SLICES,), device=dev)
print("intensity before", scans.mean().item())
scans = standardise(scans)
print("intensity after", scans.mean().item())
train(scans, labels)
