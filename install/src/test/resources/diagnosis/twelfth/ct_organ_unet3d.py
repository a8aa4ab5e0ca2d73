# limit: 1.5
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger("organ3d")


def double(cin, cout):
    return nn.Sequential(
        nn.Conv3d(cin, cout, 3, padding=1), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(),
        nn.Conv3d(cout, cout, 3, padding=1), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(),
    )


class UNet3D(nn.Module):
    def __init__(self, base=32, classes=5):
        super().__init__()
        self.d1 = double(1, base)
        self.d2 = double(base, base * 2)
        self.d3 = double(base * 2, base * 4)
        self.u2 = nn.ConvTranspose3d(base * 4, base * 2, 2, stride=2)
        self.c2 = double(base * 4, base * 2)
        self.u1 = nn.ConvTranspose3d(base * 2, base, 2, stride=2)
        self.c1 = double(base * 2, base)
        self.head = nn.Conv3d(base, classes, 1)
        self.pool = nn.MaxPool3d(2)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        c = self.d3(self.pool(b))
        b = self.c2(torch.cat([self.u2(c), b], 1))
        a = self.c1(torch.cat([self.u1(b), a], 1))
        return self.head(a)


def train(model, opt, patch, steps, batch=2):
    for step in range(steps):
        x = torch.randn(batch, 1, patch, patch, patch, device="cuda")
        y = torch.randint(0, 5, (batch, patch, patch, patch), device="cuda")
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        logger.info("patch %d step %d loss %.3f", patch, step, loss.item())


def main():
    torch.manual_seed(0)
    model = UNet3D().to("cuda")
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.99, nesterov=True)
    train(model, opt, patch=48, steps=8)
    logger.info("coarse stage done")
    train(model, opt, patch=96, steps=8)


if __name__ == "__main__":
    main()
