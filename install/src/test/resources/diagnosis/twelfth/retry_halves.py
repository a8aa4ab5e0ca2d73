# limit: 0.9
"""Street scene classifier with uneven batches; halves a batch which does not fit."""
import random

import torch
import torch.nn.functional as F
from torchvision.models import resnet18

DEV = "cuda"
SIZES = [12, 10, 14, 12, 9, 13, 48, 12, 11, 12]


def scenes(sizes):
    g = torch.Generator().manual_seed(77)
    for n in sizes:
        yield torch.randn(n, 3, 224, 224, generator=g), torch.randint(0, 12, (n,), generator=g)


class Engine:
    def __init__(self):
        torch.manual_seed(77)
        random.seed(77)
        self.net = resnet18(weights=None, num_classes=12).to(DEV).train()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02, momentum=0.9)
        self.retries = 0

    def forward_backward(self, x, y, weight=1.0):
        loss = F.cross_entropy(self.net(x.to(DEV)), y.to(DEV)) * weight
        loss.backward()
        return loss.item()

    def robust_step(self, x, y):
        self.opt.zero_grad()
        try:
            value = self.forward_backward(x, y)
        except torch.OutOfMemoryError:
            self.retries += 1
            print("out of memory with", len(x), "images, trying halves")
            torch.cuda.empty_cache()
            self.opt.zero_grad()
            value = 0.0
            for xs, ys in zip(x.chunk(2), y.chunk(2)):
                value += self.forward_backward(xs, ys, 0.5)
        self.opt.step()
        return value


def main():
    engine = Engine()
    for i, (x, y) in enumerate(scenes(SIZES)):
        print(f"{i}: n={len(x)} loss {engine.robust_step(x, y):.3f}", flush=True)
    print("retries", engine.retries)


if __name__ == "__main__":
    main()
