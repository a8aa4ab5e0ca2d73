# limit: 1.5
"""Interactive map viewer backend: rasters of very different extents, kept on the GPU within a budget."""
import logging
import random

import torch

logging.basicConfig(level=logging.INFO, format="%(message)s")
MiB = 2**20


class RasterCache:
    def __init__(self, budget_mib):
        self.budget = budget_mib * MiB
        self.entries = {}
        self.bytes = 0
        self.rng = random.Random(0)

    def evict_until(self, need):
        while self.bytes + need > self.budget:
            key = self.rng.choice(list(self.entries))
            gone = self.entries.pop(key)
            self.bytes -= gone.nbytes

    def get(self, key, rows):
        if key not in self.entries:
            need = rows * 4096
            self.evict_until(need)
            self.entries[key] = self.render(key, rows)
            self.bytes += need
        return self.entries[key]

    @staticmethod
    def render(key, rows):
        tile = torch.empty(rows, 1024, device="cuda")
        return tile.fill_(float(key % 255))


def requests(n, seed=8):
    """zoomed-in views are small, overviews are large; people look at new places all the time"""
    rng = random.Random(seed)
    for key in range(n):
        mib = rng.choice([rng.uniform(12, 40), rng.uniform(60, 180)])
        yield key, int(mib * 256)


def main():
    torch.manual_seed(0)
    cache = RasterCache(budget_mib=1130)
    for key, rows in requests(600):
        raster = cache.get(key, rows)
        brightness = raster[:: 64].mean().item()
        if key % 20 == 0:
            logging.info("request %d: %d rows, brightness %.1f, cache %d entries %d MiB",
                         key, rows, brightness, len(cache.entries), cache.bytes // MiB)


if __name__ == "__main__":
    main()
