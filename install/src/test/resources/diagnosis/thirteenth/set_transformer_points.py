# limit: 2.5
# set transformer on point clouds; number of points per cloud goes up with the epochs
import math
import torch
import torch.nn as nn

torch.manual_seed(40)
device = "cuda"


class SetAttention(nn.Module):
    def __init__(self, d, heads=4):
        super().__init__()
        self.h, self.dk = heads, d // heads
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.h, self.dk).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.dk)
        att = scores.softmax(-1)
        x = x + self.o((att @ v).transpose(1, 2).reshape(b, n, d))
        return x + self.ff(self.n2(x))


class PointNet(nn.Module):
    def __init__(self, d=64, layers=2, classes=15):
        super().__init__()
        self.inp = nn.Linear(3, d)
        self.layers = nn.ModuleList(SetAttention(d) for _ in range(layers))
        self.cls = nn.Linear(d, classes)

    def forward(self, pts):
        h = self.inp(pts)
        for l in self.layers:
            h = l(h)
        return self.cls(h.amax(1))


def clouds(batch, n):
    y = torch.randint(0, 15, (batch,), device=device)
    r = 0.5 + 0.1 * y[:, None, None]
    p = torch.randn(batch, n, 3, device=device)
    return r * p / p.norm(dim=-1, keepdim=True), y


def run():
    net = PointNet().to(device)
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    ce = nn.CrossEntropyLoss()
    for epoch, n in enumerate((256, 512, 1024, 2048, 3072)):
        hits = 0
        for _ in range(20):
            pts, y = clouds(8, n)
            out = net(pts)
            loss = ce(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hits += (out.argmax(1) == y).sum().item()
        print(f"epoch {epoch} n={n}: loss {loss.item():.3f} acc {hits / 160:.3f}")


run()
