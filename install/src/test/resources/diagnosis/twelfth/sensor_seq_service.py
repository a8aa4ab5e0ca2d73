# limit: 1.0
"""Sequence classifier for machine sensors; warms up before the first real batch."""
import logging

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
LOG = logging.getLogger(__name__)

MAX_BATCH, MAX_LEN = 64, 1024


class SensorNet(nn.Module):
    def __init__(self, channels=12, d=256, layers=4, classes=6):
        super().__init__()
        self.inp = nn.Linear(channels, d)
        enc = nn.TransformerEncoderLayer(d, 4, 1024, batch_first=True)
        self.enc = nn.TransformerEncoder(enc, layers)
        self.out = nn.Linear(d, classes)

    def forward(self, x):
        return self.out(self.enc(self.inp(x)).mean(1))


def step(net, opt, x, y):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def warm_up(net, opt):
    """Touch all kernels, smallest to largest, so that nothing is slow later."""
    for bs, length in [(1, 32), (8, 128), (MAX_BATCH, MAX_LEN)]:
        x = torch.zeros(bs, length, 12, device="cuda")
        y = torch.zeros(bs, dtype=torch.long, device="cuda")
        step(net, opt, x, y)
        LOG.info("warm-up %d x %d", bs, length)


def main():
    torch.manual_seed(0)
    net = SensorNet().to("cuda").train()
    opt = torch.optim.SGD(net.parameters(), lr=0.0)
    warm_up(net, opt)
    for group in opt.param_groups:
        group["lr"] = 0.01
    for it in range(60):
        x = torch.randn(16, 128, 12, device="cuda")
        y = torch.randint(0, 6, (16,), device="cuda")
        loss = step(net, opt, x, y)
        if it % 20 == 0:
            LOG.info("it %d loss %.3f", it, loss)


if __name__ == "__main__":
    main()
