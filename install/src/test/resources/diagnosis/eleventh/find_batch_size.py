# limit: 2.0
"""Try batch sizes from the top, then train with the first that works."""
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin, self.act = nn.Linear(d, d), nn.GELU()

    def forward(self, x):
        return x + self.act(self.lin(x))


class Tower(nn.Module):
    def __init__(self, d=1024, depth=20):
        super().__init__()
        self.layers = nn.ModuleList(Residual(d) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class BatchSizeFinder:
    def __init__(self, model):
        self.model = model
        self.errors = {}

    def attempt(self, bs):
        x = torch.randn(bs, 1024, device="cuda")
        out = self.model(x)
        out.square().mean().backward()
        self.model.zero_grad()

    def find(self, sizes):
        for bs in sizes:
            try:
                self.attempt(bs)
                return bs
            except torch.OutOfMemoryError as e:
                print("batch size", bs, "does not fit")
                self.errors[bs] = e
                torch.cuda.empty_cache()
        raise self.errors[min(self.errors)]


def main():
    torch.manual_seed(0)
    model = Tower().cuda()
    finder = BatchSizeFinder(model)
    bs = finder.find([32768, 16384, 8192, 4096, 2048, 1024])
    print("training with", bs)
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    for step in range(10):
        loss = model(torch.randn(bs, 1024, device="cuda")).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, loss.item())


main()
