# limit: 1.5
"""Validation pass of the land-cover model over one Sentinel scene, tile by tile."""
import argparse
import logging
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("landcover")

CLASSES = ["water", "forest", "crop", "urban", "bare", "snow", "grass", "wetland", "shrub", "cloud"]


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(cout)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)), inplace=True)


class TinyUNet(nn.Module):
    def __init__(self, bands=6, classes=10, width=16):
        super().__init__()
        self.enc = Block(bands, width)
        self.mid = Block(width, width * 2)
        self.dec = Block(width * 3, width)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        e = self.enc(x)
        m = self.mid(F.max_pool2d(e, 4))
        m = F.interpolate(m, scale_factor=4, mode="nearest")
        return self.head(self.dec(torch.cat([e, m], 1)))


class SceneTiles:
    def __init__(self, n_batches, batch, size):
        self.n, self.batch, self.size = n_batches, batch, size

    def __iter__(self):
        g = torch.Generator().manual_seed(7)
        for _ in range(self.n):
            x = torch.rand(self.batch, 6, self.size, self.size, generator=g)
            y = torch.randint(0, len(CLASSES), (self.batch, self.size, self.size), generator=g)
            yield x, y


@torch.no_grad()
def evaluate(model, tiles, device):
    model.eval()
    probs, correct, seen = [], 0, 0
    for i, (x, y) in enumerate(tiles):
        p = model(x.to(device)).softmax(1)
        hit = (p.argmax(1) == y.to(device)).sum()
        correct += hit.item()
        seen += y.numel()
        probs.append(p)
        if i % 4 == 0:
            log.info("tile batch %d  acc %.3f", i, correct / seen)
    return torch.cat([q.mean((2, 3)) for q in probs]), correct / seen


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batches", type=int, default=40)
    ap.add_argument("--batch-size", type=int, default=4)
    ap.add_argument("--tile", type=int, default=512)
    args = ap.parse_args([])
    seed_all(0)
    model = TinyUNet().to("cuda")
    area, acc = evaluate(model, SceneTiles(args.batches, args.batch_size, args.tile), "cuda")
    log.info("accuracy %.4f, mean class area %s", acc, area.mean(0).tolist())


if __name__ == "__main__":
    main()
