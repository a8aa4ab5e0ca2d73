# limit: 3.0
import time
import torch
import torchvision
from torch import nn

torch.backends.cudnn.benchmark = True


def batches(n, size):
    for _ in range(n):
        yield torch.rand(24, 3, size, size, device="cuda"), torch.randint(0, 10, (24,), device="cuda")


class Timer:
    def __init__(self):
        self.t = time.perf_counter()

    def lap(self):
        torch.cuda.synchronize()
        now = time.perf_counter()
        d, self.t = now - self.t, now
        return d


def main():
    torch.manual_seed(0)
    net = torchvision.models.resnet18(weights=None, num_classes=10).to("cuda")
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    crit = nn.CrossEntropyLoss()
    timer = Timer()
    for size in (128, 160):
        for i, (x, y) in enumerate(batches(15, size)):
            torch.cuda.reset_peak_memory_stats()
            loss = crit(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if i in (0, 1, 14):
                print(f"size {size} step {i}: loss {loss.item():.3f} {timer.lap():.2f}s "
                      f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB "
                      f"reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
