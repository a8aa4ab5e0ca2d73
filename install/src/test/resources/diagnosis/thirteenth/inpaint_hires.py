# limit: 3.5
# inpainting UNet: three phases with larger crops
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
DEV = "cuda"


def double(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.d1, self.d2, self.d3 = double(4, c), double(c, 2 * c), double(2 * c, 4 * c)
        self.mid = double(4 * c, 4 * c)
        self.u3, self.u2, self.u1 = double(8 * c, 2 * c), double(4 * c, c), double(2 * c, c)
        self.out = nn.Conv2d(c, 3, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.d3(F.max_pool2d(b, 2))
        m = self.mid(F.max_pool2d(c, 2))
        h = self.u3(torch.cat([F.interpolate(m, scale_factor=2), c], 1))
        h = self.u2(torch.cat([F.interpolate(h, scale_factor=2), b], 1))
        h = self.u1(torch.cat([F.interpolate(h, scale_factor=2), a], 1))
        return self.out(h)


def holes(n, s):
    mask = torch.ones(n, 1, s, s, device=DEV)
    for k in range(n):
        y, x = torch.randint(0, s // 2, (2,)).tolist()
        mask[k, :, y:y + s // 3, x:x + s // 3] = 0
    return mask


PHASES = [dict(size=128, steps=20), dict(size=256, steps=20), dict(size=448, steps=20)]
BATCH = 10

net = UNet().to(DEV)
opt = torch.optim.Adam(net.parameters(), 2e-4)
for ph in PHASES:
    for step in range(ph["steps"]):
        img = torch.rand(BATCH, 3, ph["size"], ph["size"], device=DEV)
        m = holes(BATCH, ph["size"])
        pred = net(torch.cat([img * m, m], 1))
        loss = ((pred - img).abs() * (1 - m)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    del pred
    print(ph["size"], f"L1 {loss.item():.4f}")
