# limit: 3
"""Cell segmentation training loop."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
device = torch.device("cuda")


class SegNet(nn.Module):
    def __init__(self, c=32):
        super().__init__()
        self.e1 = nn.Conv2d(1, c, 3, padding=1)
        self.e2 = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.mid = nn.Conv2d(2 * c, 2 * c, 3, padding=1)
        self.d1 = nn.Conv2d(3 * c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 2, 1)

    def forward(self, x):
        a = F.relu(self.e1(x))
        b = F.relu(self.mid(F.relu(self.e2(F.max_pool2d(a, 2)))))
        b = F.interpolate(b, scale_factor=2)
        return self.out(F.relu(self.d1(torch.cat([a, b], 1))))


net = SegNet().to(device)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(150):
    x = torch.rand(8, 1, 256, 256, device=device)
    y = (x[:, 0] > 0.5).long()
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    loss_value = loss.item()
    del x, y, loss
    torch.cuda.empty_cache()
    if it % 30 == 0:
        print(it, loss_value)
