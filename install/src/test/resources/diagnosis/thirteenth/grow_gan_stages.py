# limit: 3.0
# progressive growing, hobby version
import torch
import torch.nn as nn
import torch.nn.functional as F

dev = "cuda"
torch.manual_seed(5)
STAGES = (32, 64, 128, 256)
CH = 48
BATCH = 32


def up(c):
    return nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1),
                         nn.InstanceNorm2d(c, affine=True), nn.LeakyReLU(0.2))


def down(c):
    return nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.LeakyReLU(0.2), nn.AvgPool2d(2))


class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, CH * 16)
        self.ups = nn.ModuleList(up(CH) for _ in range(3))
        self.rgb = nn.Conv2d(CH, 3, 1)

    def grow(self):
        self.ups.append(up(CH).to(dev))

    def forward(self, z):
        h = self.fc(z).view(-1, CH, 4, 4)
        for u in self.ups:
            h = u(h)
        return torch.tanh(self.rgb(h))


class Disc(nn.Module):
    def __init__(self):
        super().__init__()
        self.rgb = nn.Conv2d(3, CH, 1)
        self.downs = nn.ModuleList(down(CH) for _ in range(3))
        self.fc = nn.Linear(CH * 16, 1)

    def grow(self):
        self.downs.append(down(CH).to(dev))

    def forward(self, x):
        h = self.rgb(x)
        for d in self.downs:
            h = d(h)
        return self.fc(h.flatten(1))


def train_stage(G, D, res, steps=15):
    og = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.0, 0.99))
    od = torch.optim.Adam(D.parameters(), 1e-3, betas=(0.0, 0.99))
    for _ in range(steps):
        real = torch.rand(BATCH, 3, res, res, device=dev) * 2 - 1
        fake = G(torch.randn(BATCH, 64, device=dev))
        d_loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
        od.zero_grad()
        d_loss.backward()
        od.step()
        g_loss = F.softplus(-D(fake)).mean()
        og.zero_grad()
        g_loss.backward()
        og.step()
    return d_loss.item(), g_loss.item()


G, D = Gen().to(dev), Disc().to(dev)
for i, res in enumerate(STAGES):
    if i:
        G.grow()
        D.grow()
    d, g = train_stage(G, D, res)
    print(f"{res}x{res}: D {d:.3f} G {g:.3f}  "
          f"({torch.cuda.max_memory_allocated() / 2**20:.0f} MiB peak)")
