# limit: 4
"""3-D segmentation of the liver, one CT volume per step."""
import torch
from torch import nn

device = torch.device("cuda")
CROP = 160


def double(cin, cout):
    return nn.Sequential(
        nn.Conv3d(cin, cout, 3, padding=1), nn.BatchNorm3d(cout), nn.ReLU(),
        nn.Conv3d(cout, cout, 3, padding=1), nn.BatchNorm3d(cout), nn.ReLU())


class UNet3D(nn.Module):
    def __init__(self, base=32):
        super().__init__()
        self.down1, self.down2 = double(1, base), double(base, 2 * base)
        self.bottom = double(2 * base, 4 * base)
        self.up2 = nn.ConvTranspose3d(4 * base, 2 * base, 2, 2)
        self.dec2 = double(4 * base, 2 * base)
        self.up1 = nn.ConvTranspose3d(2 * base, base, 2, 2)
        self.dec1 = double(2 * base, base)
        self.out = nn.Conv3d(base, 2, 1)
        self.pool = nn.MaxPool3d(2)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        c = self.bottom(self.pool(b))
        d = self.dec2(torch.cat([self.up2(c), b], 1))
        e = self.dec1(torch.cat([self.up1(d), a], 1))
        return self.out(e)


def dice_loss(logits, mask):
    p = logits.softmax(1)[:, 1]
    overlap = 2 * (p * mask).sum() + 1
    return 1 - overlap / (p.sum() + mask.sum() + 1)


model = UNet3D().to(device)
opt = torch.optim.Adam(model.parameters(), lr=1e-4)
for step in range(8):
    volume = torch.randn(1, 1, CROP, CROP, CROP, device=device)
    mask = (torch.rand(1, CROP, CROP, CROP, device=device) > 0.9).float()
    loss = dice_loss(model(volume), mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("step", step, "dice loss", loss.item())
