# limit: 1.3
import os
import tempfile

import torch
from torch import nn


def build():
    blocks = []
    for _ in range(15):
        blocks += [nn.Linear(2048, 2048), nn.ReLU()]
    return nn.Sequential(*blocks)


class Run:
    def __init__(self, folder):
        torch.manual_seed(4)
        self.net = build().to("cuda")
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-4, foreach=False)
        self.path = os.path.join(folder, "best.pt")
        self.best = float("inf")

    def train(self, steps):
        for _ in range(steps):
            x = torch.randn(64, 2048, device="cuda")
            loss = (self.net(x) - x).pow(2).mean()
            self.opt.zero_grad(set_to_none=False)
            loss.backward()
            self.opt.step()
        return loss.item()

    def save(self):
        torch.save({"net": self.net.state_dict(), "opt": self.opt.state_dict()}, self.path)

    def rollback(self):
        state = torch.load(self.path, map_location="cuda")
        self.net.load_state_dict(state["net"])
        self.opt.load_state_dict(state["opt"])


def main():
    with tempfile.TemporaryDirectory() as folder:
        run = Run(folder)
        for epoch in range(4):
            value = run.train(10)
            print("epoch", epoch, "loss", value)
            if epoch == 0:
                run.best = value
                run.save()
            elif epoch == 2:
                print("rolling back to the best epoch")
                run.rollback()


main()
