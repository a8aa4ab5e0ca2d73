"""Part segmentation of point clouds with a small PointNet++ (farthest points, kNN grouping, feature propagation)."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH, POINTS, PARTS = 16, 2048, 6
STEPS = 5


def farthest_points(xyz, m):
    b, n, _ = xyz.shape
    idx = torch.zeros(b, m, dtype=torch.long, device=xyz.device)
    dist = torch.full((b, n), 1e10, device=xyz.device)
    far = torch.randint(0, n, (b,), device=xyz.device)
    rows = torch.arange(b, device=xyz.device)
    for i in range(m):
        idx[:, i] = far
        d = ((xyz - xyz[rows, far].unsqueeze(1)) ** 2).sum(-1)
        dist = torch.minimum(dist, d)
        far = dist.argmax(-1)
    return idx


def gather(x, idx):
    b = torch.arange(x.size(0), device=x.device).view(-1, *([1] * (idx.dim() - 1)))
    return x[b, idx]


class SetAbstraction(nn.Module):
    def __init__(self, m, k, cin, widths):
        super().__init__()
        self.m, self.k = m, k
        layers, c = [], cin + 3
        for w in widths:
            layers += [nn.Conv2d(c, w, 1, bias=False), nn.BatchNorm2d(w), nn.ReLU(inplace=True)]
            c = w
        self.mlp = nn.Sequential(*layers)

    def forward(self, xyz, feat):
        with torch.no_grad():
            centers = gather(xyz, farthest_points(xyz, self.m))
            knn = torch.cdist(centers, xyz).topk(self.k, largest=False).indices
        local = gather(xyz, knn) - centers.unsqueeze(2)
        if feat is not None:
            local = torch.cat([local, gather(feat, knn)], -1)
        h = self.mlp(local.permute(0, 3, 1, 2))
        return centers, h.amax(-1).transpose(1, 2)


class Propagation(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(cin, cout), nn.LayerNorm(cout), nn.ReLU(), nn.Linear(cout, cout), nn.ReLU())

    def forward(self, xyz_to, xyz_from, f_to, f_from):
        d, i = torch.cdist(xyz_to, xyz_from).topk(3, largest=False)
        w = 1.0 / (d + 1e-6)
        w = w / w.sum(-1, keepdim=True)
        up = (gather(f_from, i) * w.unsqueeze(-1)).sum(2)
        if f_to is not None:
            up = torch.cat([up, f_to], -1)
        return self.mlp(up)


class PointNet2(nn.Module):
    def __init__(self):
        super().__init__()
        self.sa1 = SetAbstraction(512, 32, 0, [64, 64, 128])
        self.sa2 = SetAbstraction(128, 32, 128, [128, 128, 256])
        self.fp2 = Propagation(256 + 128, 256)
        self.fp1 = Propagation(256, 128)
        self.head = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, PARTS))

    def forward(self, xyz):
        x1, f1 = self.sa1(xyz, None)
        x2, f2 = self.sa2(x1, f1)
        f1 = self.fp2(x1, x2, f1, f2)
        f0 = self.fp1(xyz, x1, None, f1)
        return self.head(f0)


def shapes(device):
    xyz = torch.randn(BATCH, POINTS, 3, device=device)
    xyz = xyz / xyz.norm(dim=-1, keepdim=True) * (0.7 + 0.3 * torch.rand(BATCH, POINTS, 1, device=device))
    octant = (xyz > 0).long()
    y = (octant[..., 0] * 4 + octant[..., 1] * 2 + octant[..., 2]) % PARTS
    return xyz, y


def main():
    torch.manual_seed(64)
    device = torch.device("cuda")
    net = PointNet2().to(device)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for step in range(STEPS):
        t = time.time()
        xyz, y = shapes(device)
        loss = F.cross_entropy(net(xyz).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"{step} loss {loss.item():.4f} ({time.time() - t:.2f}s)")
    net.eval()
    with torch.no_grad():
        xyz, y = shapes(device)
        votes = sum(net(xyz * s).softmax(-1) for s in (0.95, 1.0, 1.05))
        print("point accuracy with scale voting", (votes.argmax(-1) == y).float().mean().item())
    print("peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
