# limit: 5
import torch
from torch import nn

device = torch.device("cuda")
LOW, SCALE, BATCH, WIDTH = 128, 2, 12, 96


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(WIDTH, WIDTH, 3, 1, 1), nn.Conv2d(WIDTH, WIDTH, 3, 1, 1)

    def forward(self, x):
        return x + 0.1 * self.b(torch.relu(self.a(x)))


class SuperRes(nn.Module):
    def __init__(self, blocks=10):
        super().__init__()
        self.inp = nn.Conv2d(3, WIDTH, 3, 1, 1)
        self.body = nn.Sequential(*[Residual() for _ in range(blocks)])
        self.up = nn.Sequential(nn.Conv2d(WIDTH, WIDTH * SCALE ** 2, 3, 1, 1), nn.PixelShuffle(SCALE))
        self.out = nn.Conv2d(WIDTH, 3, 3, 1, 1)

    def forward(self, low):
        x = self.inp(low)
        return self.out(self.up(x + self.body(x)))


def pairs():
    high = torch.rand(BATCH, 3, LOW * SCALE, LOW * SCALE, device=device)
    low = nn.functional.interpolate(high, scale_factor=1 / SCALE, mode="area")
    return low, high


def psnr(a, b):
    return -10 * torch.log10((a - b).pow(2).mean()).item()


model = SuperRes().to(device)
opt = torch.optim.Adam(model.parameters(), lr=2e-4)
for step in range(60):
    low, high = pairs()
    restored = model(low)
    loss = (restored - high).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(step, "L1", loss.item(), "PSNR", psnr(restored.detach(), high))
