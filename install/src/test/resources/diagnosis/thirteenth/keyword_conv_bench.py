# limit: 3.0
# keyword spotting on log-mel patches, benchmark mode on
import time
import torch
import torch.nn as nn
from torchvision.ops import SqueezeExcitation

torch.backends.cudnn.benchmark = True
torch.manual_seed(3)
dev = "cuda"


class Res(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(c, c, 5, padding=2, bias=False), nn.BatchNorm2d(c)
        self.c2, self.b2 = nn.Conv2d(c, c, 5, padding=2, bias=False), nn.BatchNorm2d(c)
        self.se = SqueezeExcitation(c, c // 4)

    def forward(self, x):
        h = torch.relu(self.b1(self.c1(x)))
        return torch.relu(x + self.se(self.b2(self.c2(h))))


class Spotter(nn.Module):
    def __init__(self, c=48, n=35):
        super().__init__()
        self.stem = nn.Conv2d(1, c, 5, stride=2, padding=2)
        self.blocks = nn.Sequential(*[Res(c) for _ in range(4)])
        self.head = nn.Linear(c, n)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


def step(model, opt, frames):
    x = torch.randn(64, 1, 64, frames, device=dev)
    y = torch.randint(0, 35, (64,), device=dev)
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    model = Spotter().to(dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for frames in (96, 128, 160):
        for k in range(25):
            torch.cuda.reset_peak_memory_stats()
            t = time.time()
            loss = step(model, opt, frames)
            if k in (0, 1, 24):
                peak = torch.cuda.max_memory_allocated() / 2**20
                print(f"frames {frames} step {k}: {time.time() - t:.3f}s "
                      f"peak {peak:.0f} MiB loss {loss:.3f}")


main()
