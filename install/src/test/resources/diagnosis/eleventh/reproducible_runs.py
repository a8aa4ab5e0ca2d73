# limit: 1.3
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":65536:8"

import torch
from torch import nn

torch.use_deterministic_algorithms(True, warn_only=True)
torch.manual_seed(2024)


def make_net():
    return nn.Sequential(nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))


def digits(n):
    x = torch.rand(n, 784, device="cuda")
    return x, (x.sum(1) * 10).long() % 10


class Experiment:
    def __init__(self, lr):
        self.net = make_net().cuda()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)

    def train(self, steps, bs=512):
        for _ in range(steps):
            x, y = digits(bs)
            loss = nn.functional.cross_entropy(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()

    @torch.no_grad()
    def evaluate_async(self, stream, n=4096):
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            x, y = digits(n)
            acc = (self.net(x).argmax(1) == y).float().mean()
        torch.cuda.current_stream().wait_stream(stream)
        return acc.item()


exp = Experiment(1e-3)
sides = [torch.cuda.Stream(), torch.cuda.Stream()]
for epoch in range(6):
    loss = exp.train(60)
    print("epoch", epoch, "loss", loss)
    if epoch >= 2:
        print("  accuracy", exp.evaluate_async(sides[epoch % 2]))
