# limit: 1.25
"""Hive entrance classifier: find the batch size, then train."""
import torch
from torch import nn

torch.manual_seed(31)
device = torch.device("cuda")


def make_model():
    def block(i, o):
        return [nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU()]
    return nn.Sequential(*block(3, 64), *block(64, 64), nn.MaxPool2d(2), *block(64, 128),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 4))


def sample(bs):
    return torch.randn(bs, 3, 128, 128, device=device), torch.randint(0, 4, (bs,), device=device)


def step(model, opt, bs):
    x, y = sample(bs)
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    return loss.item()


class BatchSizeFinder:
    def __init__(self, start=8, limit=512):
        self.start, self.limit = start, limit
        self.failures = {}

    def search(self, model, opt):
        bs, best = self.start, None
        while bs <= self.limit:
            try:
                step(model, opt, bs)
                best = bs
                print("batch", bs, "fits")
            except torch.OutOfMemoryError as err:
                self.failures[bs] = err
                print("batch", bs, "does not fit")
                torch.cuda.empty_cache()
                break
            bs *= 2
        return best


model = make_model().to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
finder = BatchSizeFinder()
best = finder.search(model, opt)
print("training with", best)
for epoch in range(2):
    for it in range(10):
        loss = step(model, opt, best)
    print("epoch", epoch, "loss", round(loss, 3))
if finder.failures:
    print("sizes that failed:", list(finder.failures))
