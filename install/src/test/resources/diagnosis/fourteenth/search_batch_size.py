# limit: 2.0
import torch
import torch.nn as nn

torch.manual_seed(3)


class Net(nn.Module):
    def __init__(self, d=2048, depth=12):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d, d) for _ in range(depth))
        self.out = nn.Linear(d, 10)

    def forward(self, x):
        for l in self.layers:
            x = torch.relu(l(x))
        return self.out(x.mean(1))


class BatchSizeFinder:
    """Goes down from `start` until a training step works; remembers why the others did not."""

    def __init__(self, model, opt, start=256):
        self.model, self.opt, self.start = model, opt, start
        self.failed = {}

    def attempt(self, bs):
        x = torch.randn(bs, 128, 2048, device="cuda")
        y = torch.randint(0, 10, (bs,), device="cuda")
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        return loss.item()

    def search(self):
        bs = self.start
        while bs >= 1:
            try:
                print(f"batch {bs}: loss {self.attempt(bs):.3f}")
                return bs
            except torch.OutOfMemoryError as exc:
                self.failed[bs] = exc
                self.opt.zero_grad(set_to_none=True)
                torch.cuda.empty_cache()
                print(f"batch {bs}: too large")
                bs //= 2
        raise self.failed[1]


def main():
    model = Net().cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    finder = BatchSizeFinder(model, opt)
    bs = finder.search()
    for step in range(20):
        loss = finder.attempt(bs)
    print("trained with", bs, "loss", loss)


main()
