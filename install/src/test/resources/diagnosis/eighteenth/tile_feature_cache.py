# limit: 1.95
"""Satellite tiles: a byte-bounded feature cache for a viewer that jumps between regions."""
import random
from collections import OrderedDict

import torch
import torch.nn as nn


class ByteCache:
    def __init__(self, max_bytes, seed=0):
        self.max_bytes, self.used = max_bytes, 0
        self.items = OrderedDict()
        self.rng = random.Random(seed)
        self.hits = self.misses = 0

    def get(self, key):
        if key in self.items:
            self.hits += 1
            self.items.move_to_end(key)
            return self.items[key]
        self.misses += 1
        return None

    def put(self, key, value):
        size = value.numel() * value.element_size()
        while self.used + size > self.max_bytes:
            victim = self.rng.choice(list(self.items)[: max(1, len(self.items) // 2)])
            old = self.items.pop(victim)
            self.used -= old.numel() * old.element_size()
        self.items[key] = value
        self.used += size


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(4, 24, 3, stride=2, padding=1)

    def forward(self, x):
        return self.net(x).relu_()


def region(number):
    rng = random.Random(number)
    if rng.random() < 0.1:
        return 4 * rng.randint(760, 860), 4 * rng.randint(620, 700)    # whole province
    return 4 * rng.randint(120, 330), 4 * rng.randint(120, 330)


def main(visits=1500):
    torch.manual_seed(0)
    enc = Encoder().to("cuda").eval()
    cache = ByteCache(int(1.35 * 2**30))
    rng = random.Random(77)
    with torch.inference_mode():
        for v in range(visits):
            key = int(rng.paretovariate(0.6)) % 400
            feats = cache.get(key)
            if feats is None:
                h, w = region(key)
                feats = enc(torch.rand(1, 4, h, w, device="cuda"))
                cache.put(key, feats)
            if v % 100 == 0:
                print(f"visit {v}: {len(cache.items)} regions, {cache.used / 2**20:.0f} MiB cached, "
                      f"reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB, "
                      f"hits {cache.hits} misses {cache.misses}, mean {feats.mean().item():.3f}")


if __name__ == "__main__":
    main()
