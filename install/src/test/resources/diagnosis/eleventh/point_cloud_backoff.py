# limit: 1.5
import torch
from torch import nn


class PointNet(nn.Module):
    def __init__(self, classes=12):
        super().__init__()
        self.mlp = nn.Sequential(
            nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 512), nn.ReLU()
        )
        self.head = nn.Linear(512, classes)

    def forward(self, pts):
        return self.head(self.mlp(pts).amax(1))


def clouds(bs, points=2048):
    pts = torch.randn(bs, points, 3, device="cuda")
    return pts, (pts[..., 0].mean(1) > 0).long()


def step(net, opt, bs):
    pts, y = clouds(bs)
    loss = nn.functional.cross_entropy(net(pts), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    return loss.item()


def fit(net, steps=60, bs=512):
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    done = 0
    while done < steps:
        too_big = False
        try:
            value = step(net, opt, bs)
        except torch.cuda.OutOfMemoryError:
            too_big = True
        if too_big:
            bs //= 2
            opt.zero_grad(set_to_none=True)
            torch.cuda.empty_cache()
            print("out of memory, batch size now", bs)
            continue
        done += 1
        if done % 10 == 0:
            print(done, "batch", bs, "loss", value)


torch.manual_seed(1)
fit(PointNet().cuda())
