# limit: 1.5
"""Change detection: features of visited map tiles are kept for the next visit."""
import random
from collections import OrderedDict
import torch
from torch import nn

device = torch.device("cuda")


class TileCache:
    def __init__(self, room=40):
        self.room, self.tiles = room, OrderedDict()
        self.hits = self.misses = 0

    def get(self, key, make):
        if key in self.tiles:
            self.hits += 1
            self.tiles.move_to_end(key)
        else:
            self.misses += 1
            self.tiles[key] = make()
            if len(self.tiles) > self.room:
                self.tiles.popitem(last=False)
        return self.tiles[key]


encoder = nn.Sequential(
    nn.Conv2d(4, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, 64, 3, 2, 1), nn.ReLU(),
    nn.Conv2d(64, 128, 3, 1, 1)).to(device).eval()


@torch.no_grad()
def features(tile):
    return encoder(tile.to(device))


def fresh_tile(rng):
    return torch.rand(1, 4, 512, 512)


@torch.no_grad()
def change(old, new):
    similarity = torch.cosine_similarity(old, new, dim=1)
    return (similarity < 0.9).float().mean().item()


def patrol(flights=800):
    rng = random.Random(4)
    cache, changed = TileCache(), 0.0
    for flight in range(flights):
        key = (min(19, int(rng.expovariate(0.15))), rng.randint(0, 4))
        known = cache.get(key, lambda: features(fresh_tile(rng)))
        changed += change(known, features(fresh_tile(rng)))
        if flight % 100 == 0:
            print(flight, "hits", cache.hits, "misses", cache.misses, "changed", changed)


patrol()
