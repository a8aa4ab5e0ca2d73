# limit: 3
# "U-Net with 2M parameters does not fit in 3 GB?"
import torch
import torch.nn as nn

torch.manual_seed(16)


def double(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
        nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
    )


class UNet(nn.Module):
    def __init__(self, base=32, depth=3, classes=4):
        super().__init__()
        widths = [base * 2 ** i for i in range(depth + 1)]
        self.first = double(3, widths[0])
        self.down = nn.ModuleList(double(a, b) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in zip(widths, widths[1:]))
        self.merge = nn.ModuleList(double(2 * a, a) for a in widths[:-1])
        self.out = nn.Conv2d(base, classes, 1)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        skips = [self.first(x)]
        for block in self.down:
            skips.append(block(self.pool(skips[-1])))
        x = skips.pop()
        for up, merge, skip in zip(reversed(self.up), reversed(self.merge), reversed(skips)):
            x = merge(torch.cat([up(x), skip], dim=1))
        return self.out(x)


def tiles(batch_size, side):
    while True:
        yield (torch.rand(batch_size, 3, side, side, device="cuda"),
               torch.randint(0, 4, (batch_size, side, side), device="cuda"))


def train(model, data, steps):
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for step, (x, y) in zip(range(steps), data):
        opt.zero_grad(set_to_none=True)
        pred = model(x)
        loss = nn.functional.cross_entropy(pred, y)
        loss.backward()
        opt.step()
        print(step, loss.item())


train(UNet().to("cuda"), tiles(batch_size=8, side=512), steps=5)
