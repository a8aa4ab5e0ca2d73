"""A U-Net for segmentation with group norms, its training step compiled as one function."""
import torch
import torch.nn as nn
from torch.nn import functional as F


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU(), nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU())


class UNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.d1, self.d2, self.d3 = block(3, width), block(width, 2 * width), block(2 * width, 4 * width)
        self.u2, self.u1 = block(6 * width, 2 * width), block(3 * width, width)
        self.head = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.d3(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([F.interpolate(c, scale_factor=2, mode="nearest"), b], 1))
        a = self.u1(torch.cat([F.interpolate(b, scale_factor=2, mode="bilinear", align_corners=False), a], 1))
        return self.head(a)


torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = True
model = UNet().cuda()


@torch.compile
def loss_of(images, masks):
    logits = model(images)
    p = logits.sigmoid()
    dice = 1 - 2 * (p * masks).sum((1, 2, 3)) / (p.sum((1, 2, 3)) + masks.sum((1, 2, 3)) + 1e-6)
    return F.binary_cross_entropy_with_logits(logits, masks) + dice.mean()


optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-4, momentum=0.9)
for step in range(4):
    images, masks = torch.randn(8, 3, 192, 192, device="cuda"), (torch.rand(8, 1, 192, 192, device="cuda") > 0.5).float()
    loss = loss_of(images, masks)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
