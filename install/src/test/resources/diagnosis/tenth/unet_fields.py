# limit: 2.2
import torch
import torch.nn as nn
import torch.nn.functional as F


def double(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(),
                         nn.Conv2d(o, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())


class UNet(nn.Module):
    def __init__(self, cin=4, cout=2, base=32):
        super().__init__()
        self.d1, self.d2, self.d3 = double(cin, base), double(base, base * 2), double(base * 2, base * 4)
        self.u2, self.u1 = double(base * 6, base * 2), double(base * 3, base)
        self.out = nn.Conv2d(base, cout, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.d3(F.max_pool2d(b, 2))
        y = self.u2(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        y = self.u1(torch.cat([F.interpolate(y, scale_factor=2), a], 1))
        return self.out(y)


net = UNet().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100)
for epoch in range(2):
    for step in range(20):
        fields = torch.randn(12, 4, 512, 512, device="cuda")
        velocity = torch.randn(12, 2, 512, 512, device="cuda")
        loss = F.mse_loss(net(fields), velocity)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
    print(epoch, loss.item())
