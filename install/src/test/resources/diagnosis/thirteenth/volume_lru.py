# limit: 1.2
# CT volumes for a segmentation hobby project: LRU cache on the GPU bounded in bytes
import random
from collections import OrderedDict
import torch
import torch.nn.functional as F

DEVICE = "cuda"
rng = random.Random(5)
CAPACITY = 900 * 2**20
SIDES = [rng.randrange(200, 401, 4) for _ in range(60)]


def read_volume(idx):
    """stands for the NIfTI reader"""
    n = SIDES[idx]
    vol = torch.empty(n, n, n, device=DEVICE)
    g = torch.Generator(DEVICE).manual_seed(idx)
    return vol.uniform_(generator=g)


class VolumeCache:
    def __init__(self, capacity):
        self.capacity, self.used = capacity, 0
        self.items = OrderedDict()
        self.hits = self.misses = 0

    def get(self, idx):
        if idx in self.items:
            self.hits += 1
            self.items.move_to_end(idx)
            return self.items[idx]
        self.misses += 1
        need = SIDES[idx] ** 3 * 4
        while self.items and self.used + need > self.capacity:
            _, old = self.items.popitem(last=False)
            self.used -= old.numel() * 4
            del old
        vol = read_volume(idx)
        self.items[idx] = vol
        self.used += need
        return vol


def score(vol):
    lo = F.avg_pool3d(vol[None, None], 8)
    return (lo.amax() - lo.amin()).item()


def epoch(cache, order):
    total = 0.0
    for idx in order:
        total += score(cache.get(idx))
    return total / len(order)


def main():
    cache = VolumeCache(CAPACITY)
    for e in range(12):
        order = [rng.randrange(len(SIDES)) for _ in range(40)]
        s = epoch(cache, order)
        print(f"epoch {e}: contrast {s:.4f} hits {cache.hits} misses {cache.misses} "
              f"cached {cache.used / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
