# limit: 6
"""EDSR-like super-resolution training."""
import torch
import torch.nn as nn


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU(True), nn.Conv2d(ch, ch, 3, padding=1))

    def forward(self, x):
        return x + self.body(x) * 0.1


class EDSR(nn.Module):
    def __init__(self, ch=64, blocks=32, scale=2):
        super().__init__()
        self.head = nn.Conv2d(3, ch, 3, padding=1)
        self.body = nn.Sequential(*[ResBlock(ch) for _ in range(blocks)])
        self.tail = nn.Sequential(nn.Conv2d(ch, 3 * scale ** 2, 3, padding=1), nn.PixelShuffle(scale))

    def forward(self, x):
        x = self.head(x)
        x = x + self.body(x)
        return self.tail(x)


torch.manual_seed(0)
device = torch.device("cuda")
net = EDSR().to(device)
optim = torch.optim.Adam(net.parameters(), lr=1e-4)
l1 = nn.L1Loss()
crop, batch = 512, 8
for step in range(10):
    lr_img = torch.rand(batch, 3, crop, crop, device=device)
    hr_img = torch.rand(batch, 3, crop * 2, crop * 2, device=device)
    sr = net(lr_img)
    loss = l1(sr, hr_img)
    optim.zero_grad()
    loss.backward()
    optim.step()
    print(step, loss.item())
