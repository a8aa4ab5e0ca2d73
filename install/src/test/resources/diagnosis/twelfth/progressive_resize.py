# limit: 2.0
"""Progressive resizing, as in the fast.ai courses, with a timm ResNet-50."""
import time

import timm
import torch
from torch import nn

SCHEDULE = [(128, 6), (176, 6), (320, 6)]
BATCH = 16


class Learner:
    def __init__(self):
        torch.manual_seed(0)
        self.dev = torch.device("cuda")
        self.model = timm.create_model("resnet50", pretrained=False, num_classes=120).to(self.dev)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.loss = nn.CrossEntropyLoss(label_smoothing=0.1)

    def one_batch(self, size):
        x = torch.randn(BATCH, 3, size, size, device=self.dev)
        y = torch.randint(0, 120, (BATCH,), device=self.dev)
        out = self.loss(self.model(x), y)
        self.opt.zero_grad()
        out.backward()
        self.opt.step()
        return out.item()

    def fit(self, size, steps):
        self.model.train()
        start = time.time()
        values = [self.one_batch(size) for _ in range(steps)]
        print(f"size {size}: loss {sum(values) / len(values):.3f}, {time.time() - start:.1f}s, "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    learn = Learner()
    for size, steps in SCHEDULE:
        learn.fit(size, steps)


if __name__ == "__main__":
    main()
