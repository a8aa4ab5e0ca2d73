import torch
import torch.nn as nn
import torch.nn.functional as F


class Step(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.w = nn.Parameter(torch.linalg.qr(torch.randn(c, c))[0].contiguous())
        self.scale, self.shift = nn.Parameter(torch.ones(1, c, 1, 1)), nn.Parameter(torch.zeros(1, c, 1, 1))
        self.net = nn.Sequential(nn.Conv2d(c // 2, 128, 3, padding=1), nn.ReLU(), nn.Conv2d(128, 128, 1), nn.ReLU(), nn.Conv2d(128, c, 3, padding=1))

    def forward(self, x):
        n, c, h, w = x.shape
        x = x * self.scale + self.shift
        logdet = self.scale.abs().log().sum() * h * w + torch.linalg.slogdet(self.w)[1] * h * w
        x = F.conv2d(x, self.w[:, :, None, None])
        a, b = x.chunk(2, 1)
        s, t = self.net(a).chunk(2, 1)
        s = torch.sigmoid(s + 2)
        return torch.cat([a, (b + t) * s], 1), logdet + s.log().flatten(1).sum(1)


torch.manual_seed(0)
steps = nn.ModuleList(Step(12) for _ in range(6)).cuda()
opt = torch.optim.Adam(steps.parameters(), lr=1e-4)
for it in range(3):
    x = F.pixel_unshuffle(torch.rand(32, 3, 32, 32, device="cuda"), 2)
    total = 0
    for s in steps:
        x, d = s(x)
        total = total + d
    loss = (0.5 * x.square().flatten(1).sum(1) - total).mean() / (3 * 32 * 32)
    opt.zero_grad()
    loss.backward()
    opt.step()
