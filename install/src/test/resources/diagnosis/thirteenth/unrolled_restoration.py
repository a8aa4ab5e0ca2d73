# limit: 1.6
"""Learned iterative image restoration: deblurring with an unrolled refinement network."""
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)
torch.manual_seed(12)
device = torch.device("cuda")


class Refiner(nn.Module):
    def __init__(self, ch=64):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(6, ch, 3, padding=1), nn.SiLU(),
            nn.Conv2d(ch, ch, 3, padding=1), nn.SiLU(),
            nn.Conv2d(ch, ch, 3, padding=1), nn.SiLU(),
            nn.Conv2d(ch, 3, 3, padding=1))

    def forward(self, est, obs):
        return est + 0.1 * self.body(torch.cat([est, obs], 1))


class Unrolled(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Refiner()

    def forward(self, obs, n_iter):
        est = obs
        for _ in range(n_iter):
            est = self.cell(est, obs)
        return est


def pairs(n, bs=16, size=64):
    k = torch.ones(3, 1, 5, 5, device=device) / 25
    for _ in range(n):
        clean = torch.rand(bs, 3, size, size, device=device)
        yield clean, F.conv2d(clean, k, padding=2, groups=3)


net = Unrolled().to(device)
opt = torch.optim.Adam(net.parameters(), 2e-4)
curriculum = {0: 1, 1: 2, 2: 4, 3: 24}
for epoch in range(4):
    n_iter = curriculum[epoch]
    for clean, blurred in pairs(12):
        loss = F.l1_loss(net(blurred, n_iter), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
    log.info("epoch %d iterations %d loss %.4f", epoch, n_iter, loss.item())
