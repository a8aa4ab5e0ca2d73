#!/usr/bin/env python
"""PointNet (with both T-Nets) on random point clouds in the style of ModelNet40."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import TensorDataset, DataLoader

B, N_POINTS, N_CLOUDS, EPOCHS = 32, 2048, 96, 2
device = torch.device("cuda")
torch.manual_seed(11)


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.mlp = nn.Sequential(
            nn.Conv1d(k, 64, 1), nn.BatchNorm1d(64), nn.ReLU(),
            nn.Conv1d(64, 128, 1), nn.BatchNorm1d(128), nn.ReLU(),
            nn.Conv1d(128, 1024, 1), nn.BatchNorm1d(1024), nn.ReLU())
        self.head = nn.Sequential(
            nn.Linear(1024, 512), nn.BatchNorm1d(512), nn.ReLU(),
            nn.Linear(512, 256), nn.BatchNorm1d(256), nn.ReLU(),
            nn.Linear(256, k * k))

    def forward(self, x):
        h = self.mlp(x).max(dim=2).values
        m = self.head(h).view(-1, self.k, self.k)
        return m + torch.eye(self.k, device=x.device)


class PointNet(nn.Module):
    def __init__(self, classes=40):
        super().__init__()
        self.t3, self.t64 = TNet(3), TNet(64)
        self.c1, self.b1 = nn.Conv1d(3, 64, 1), nn.BatchNorm1d(64)
        self.c2, self.b2 = nn.Conv1d(64, 128, 1), nn.BatchNorm1d(128)
        self.c3, self.b3 = nn.Conv1d(128, 1024, 1), nn.BatchNorm1d(1024)
        self.fc = nn.Sequential(nn.Linear(1024, 512), nn.BatchNorm1d(512), nn.ReLU(),
                                nn.Linear(512, 256), nn.Dropout(0.3), nn.BatchNorm1d(256), nn.ReLU(),
                                nn.Linear(256, classes))

    def forward(self, pts):
        x = pts.transpose(1, 2)
        m3 = self.t3(x)
        x = torch.bmm(pts, m3).transpose(1, 2)
        x = F.relu(self.b1(self.c1(x)))
        m64 = self.t64(x)
        x = torch.bmm(x.transpose(1, 2), m64).transpose(1, 2)
        x = F.relu(self.b2(self.c2(x)))
        x = self.b3(self.c3(x))
        return self.fc(x.max(2).values), m64


def orth_penalty(m):
    eye = torch.eye(m.size(1), device=m.device)
    return (torch.bmm(m, m.transpose(1, 2)) - eye).pow(2).sum((1, 2)).sqrt().mean()


def augment(p):
    theta = torch.rand(p.size(0), device=p.device) * 6.2832
    c, s, z, o = theta.cos(), theta.sin(), torch.zeros_like(theta), torch.ones_like(theta)
    rot = torch.stack([c, z, s, z, o, z, -s, z, c], 1).view(-1, 3, 3)
    return p @ rot + 0.02 * torch.randn_like(p).clamp(-2.5, 2.5)


clouds = F.normalize(torch.randn(N_CLOUDS, N_POINTS, 3), dim=-1)
labels = torch.randint(0, 40, (N_CLOUDS,))
loader = DataLoader(TensorDataset(clouds, labels), batch_size=B, shuffle=True, drop_last=True)

net = PointNet().to(device)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.7)

for epoch in range(EPOCHS):
    net.train()
    total = 0
    for p, y in loader:
        p, y = augment(p.to(device)), y.to(device)
        optimizer.zero_grad()
        logits, m = net(p)
        loss = F.cross_entropy(logits, y) + 0.001 * orth_penalty(m)
        loss.backward()
        optimizer.step()
        total += loss.item()
    scheduler.step()
    net.eval()
    with torch.no_grad():
        votes = sum(net(augment(clouds[:B].to(device)))[0].softmax(-1) for _ in range(3))
        acc = (votes.argmax(1).cpu() == labels[:B]).float().mean()
    print(f"epoch {epoch}: loss {total / len(loader):.3f} vote acc {acc:.3f}")
print("max MB", torch.cuda.max_memory_allocated() // 2 ** 20)
