# limit: 1.5
"""Fit a neural surrogate to an option pricing surface, with a smoothed loss monitor."""
import torch
from torch import nn

SEED = 7
N = 8192
WIDTH = 1024


def target(x):
    s, k, t, v = x[:, 0], x[:, 1], x[:, 2], x[:, 3]
    return torch.relu(s - k * torch.exp(-0.02 * t)) + 0.4 * v * torch.sqrt(t)


def make_net():
    layers, d = [], 4
    for _ in range(4):
        layers += [nn.Linear(d, WIDTH), nn.ReLU()]
        d = WIDTH
    layers.append(nn.Linear(d, 1))
    return nn.Sequential(*layers)


class Monitor:
    def __init__(self, window=10):
        self.history = []
        self.window = window

    def add(self, loss):
        self.history.append(loss)

    def smooth(self):
        last = self.history[-self.window:]
        return (sum(last) / len(last)).item()


def main():
    torch.manual_seed(SEED)
    net = make_net().to("cuda")
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    mon = Monitor()
    for it in range(200):
        x = torch.rand(N, 4, device="cuda") + 0.1
        pred = net(x).squeeze(1)
        loss = (pred - target(x)).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        # "Trying to backward through the graph a second time" went away with this
        loss.backward(retain_graph=True)
        opt.step()
        mon.add(loss)
        if it % 2 == 0:
            print(f"it {it} smoothed {mon.smooth():.5f}")


if __name__ == "__main__":
    main()
