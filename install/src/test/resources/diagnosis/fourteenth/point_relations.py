# limit: 3.0
import torch
import torch.nn as nn

# LiDAR scans, relations between points by self attention


class RelationBlock(nn.Module):
    def __init__(self, d=64, heads=4):
        super().__init__()
        self.att = nn.MultiheadAttention(d, heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))

    def forward(self, x):
        h = self.n1(x)
        a, w = self.att(h, h, h)
        x = x + a
        return x + self.ff(self.n2(x))


class ScanNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(3, 64)
        self.blocks = nn.ModuleList([RelationBlock() for _ in range(3)])
        self.cls = nn.Linear(64, 13)

    def forward(self, p):
        x = self.embed(p)
        for b in self.blocks:
            x = b(x)
        return self.cls(x)


def subsample(p, n):
    return p[:, torch.randperm(p.shape[1], device=p.device)[:n]]


torch.manual_seed(9)
net = ScanNet().to("cuda")
opt = torch.optim.Adam(net.parameters(), 1e-3)
scans = [torch.randn(2, 20_000, 3, device="cuda") for _ in range(6)]
for epoch, n_points in enumerate([1024, 1536, 2048, 8192]):
    for scan in scans:
        pts = subsample(scan, n_points)
        target = (pts[..., 2] > 0).long() * 5
        loss = nn.functional.cross_entropy(net(pts).flatten(0, 1), target.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch} points {n_points} loss {loss.item():.3f}")
