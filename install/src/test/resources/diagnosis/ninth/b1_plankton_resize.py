# limit: 8
"""Progressive resizing: small images first, full size at the end."""
import torch
from torch import nn
import torch.nn.functional as F

dev = "cuda"
SPECIES, BATCH = 103, 16


def conv(cin, cout, stride=1):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1), nn.GroupNorm(8, cout), nn.ReLU())


class PlanktonNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stage1 = nn.Sequential(conv(1, 32), conv(32, 32))
        self.stage2 = nn.Sequential(conv(32, 64, 2), conv(64, 64))
        self.stage3 = conv(64, 128, 2)
        self.head = nn.Linear(128, SPECIES)

    def forward(self, x):
        x = self.stage1(x)
        x = self.stage2(x)
        x = self.stage3(x)
        return self.head(x.mean((2, 3)))


def specimens(size):
    side = torch.randn(BATCH, 1, 300, 300, device=dev)
    images = F.interpolate(side, size=(size, size), mode="bilinear")
    return images, torch.randint(0, SPECIES, (BATCH,), device=dev)


def train_at(model, opt, size, steps=10):
    total = 0.0
    for _ in range(steps):
        images, species = specimens(size)
        loss = F.cross_entropy(model(images), species)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / steps


model = PlanktonNet().to(dev)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for size in range(96, 257, 16):
    loss = train_at(model, opt, size)
    held = torch.cuda.memory_reserved() >> 20
    print(f"{size} px  loss {loss:.3f}  memory {held} MiB")
print("done")
