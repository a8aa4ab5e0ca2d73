# limit: 2.9
import torch
import torch.nn as nn
from torchvision.models import resnet50

torch.manual_seed(31)


class Birds:
    def __init__(self, size, n=12, bs=16):
        self.size, self.n, self.bs = size, n, bs

    def __iter__(self):
        for _ in range(self.n):
            x = torch.randn(self.bs, 3, self.size, self.size)
            yield x.cuda(non_blocking=True), torch.randint(0, 200, (self.bs,)).cuda()


SCHEDULE = [(128, 0.05), (160, 0.05), (192, 0.02), (384, 0.01), (448, 0.005)]


class AverageMeter:
    def __init__(self):
        self.s = self.n = 0

    def add(self, v):
        self.s += v
        self.n += 1

    def __str__(self):
        return f"{self.s / max(self.n, 1):.3f}"


def main():
    net = resnet50(num_classes=200).cuda()
    crit = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    for size, lr in SCHEDULE:
        for g in opt.param_groups:
            g["lr"] = lr
        meter = AverageMeter()
        for x, y in Birds(size):
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
            meter.add(loss.item())
        print(f"size {size}: {meter}")


if __name__ == "__main__":
    main()
