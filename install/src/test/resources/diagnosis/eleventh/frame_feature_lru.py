# limit: 1.5
"""Features of video frames, cached for the frames that come back."""
from collections import OrderedDict

import torch
from torch import nn


class LRU:
    def __init__(self, limit):
        self.limit = limit
        self.items = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key, make):
        if key in self.items:
            self.items.move_to_end(key)
            self.hits += 1
            return self.items[key]
        self.misses += 1
        value = make(key)
        self.items[key] = value
        while len(self.items) > self.limit:
            self.items.popitem(last=False)
        return value


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1))

    def forward(self, key):
        g = torch.Generator(device="cuda").manual_seed(key)
        return self.net(torch.rand(1, 3, 512, 512, generator=g, device="cuda"))


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    extractor = Features().cuda().eval()
    cache = LRU(limit=24)
    order = torch.Generator().manual_seed(2)
    drift = 0.0
    for t in range(300):
        key = t // 2 - int(torch.randint(0, 30, (1,), generator=order))
        feat = cache.get(max(key, 0), extractor)
        drift += feat.mean().item()
        if t % 50 == 0:
            print(t, "hits", cache.hits, "misses", cache.misses, "entries", len(cache.items))
    print("drift", drift)


main()
