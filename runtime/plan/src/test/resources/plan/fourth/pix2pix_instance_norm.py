import torch
import torch.nn as nn


def down(a, b, norm=True):
    return nn.Sequential(nn.Conv2d(a, b, 4, 2, 1), nn.InstanceNorm2d(b) if norm else nn.Identity(), nn.LeakyReLU(0.2, inplace=True))


def up(a, b):
    return nn.Sequential(nn.ConvTranspose2d(a, b, 4, 2, 1), nn.InstanceNorm2d(b), nn.ReLU(inplace=True))


class Generator(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.d1, self.d2, self.d3, self.d4 = down(3, c, False), down(c, 2 * c), down(2 * c, 4 * c), down(4 * c, 8 * c)
        self.u1, self.u2, self.u3 = up(8 * c, 4 * c), up(8 * c, 2 * c), up(4 * c, c)
        self.last = nn.Sequential(nn.ConvTranspose2d(2 * c, 3, 4, 2, 1), nn.Tanh())

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(a)
        c = self.d3(b)
        h = self.u1(self.d4(c))
        h = self.u2(torch.cat([h, c], 1))
        h = self.u3(torch.cat([h, b], 1))
        return self.last(torch.cat([h, a], 1))


torch.manual_seed(0)
g = Generator().cuda()
d = nn.Sequential(down(6, 32, False), down(32, 64), down(64, 128), nn.Conv2d(128, 1, 4, 1, 1)).cuda()
og, od = (torch.optim.Adam(m.parameters(), lr=2e-4, betas=(0.5, 0.999)) for m in (g, d))
bce = nn.BCEWithLogitsLoss()
for step in range(3):
    x, y = torch.randn(5, 3, 128, 128, device="cuda"), torch.randn(5, 3, 128, 128, device="cuda")
    fake = g(x)
    real_out, fake_out = d(torch.cat([x, y], 1)), d(torch.cat([x, fake.detach()], 1))
    loss_d = (bce(real_out, torch.ones_like(real_out)) + bce(fake_out, torch.zeros_like(fake_out))) / 2
    od.zero_grad()
    loss_d.backward()
    od.step()
    out = d(torch.cat([x, fake], 1))
    loss_g = bce(out, torch.ones_like(out)) + 100 * nn.functional.l1_loss(fake, y)
    og.zero_grad()
    loss_g.backward()
    og.step()
