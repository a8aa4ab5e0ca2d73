# limit: 8
import time
import torch
from torch import nn

torch.backends.cudnn.benchmark = True
device = torch.device("cuda")
BANDS, CLASSES, SIDE, BATCH = 13, 10, 256, 8


class SegNet(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.stem = nn.Conv2d(BANDS, width, 7, padding=3)
        self.body = nn.ModuleList(nn.Conv2d(width, width, 5, padding=2) for _ in range(3))
        self.wide = nn.Conv2d(width, width, 3, padding=4, dilation=4)
        self.out = nn.Conv2d(width, CLASSES, 1)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for layer in self.body:
            x = torch.relu(layer(x))
        return self.out(torch.relu(self.wide(x)))


def scenes():
    x = torch.randn(BATCH, BANDS, SIDE, SIDE, device=device)
    y = torch.randint(0, CLASSES, (BATCH, SIDE, SIDE), device=device)
    return x, y


def main():
    model = SegNet().to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(30):
        start = time.time()
        x, y = scenes()
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.item()
        if step < 3 or step % 10 == 0:
            peak = torch.cuda.max_memory_allocated() / 2**30
            print(f"step {step} loss {value:.3f} {time.time() - start:.2f}s peak {peak:.2f} GiB")
        torch.cuda.reset_peak_memory_stats()


main()
