# limit: 2.0
# Re-ranking service: token features of documents are cached on the GPU with a byte budget (1.3 GiB).
# "The budget is respected, I checked with an assert. There must be 550 MB free, why OOM for 80 MB?"
import random

import torch
import torch.nn as nn

GIB = 2 ** 30
DIM = 1024


class FeatureCache:
    def __init__(self, budget, rng):
        self.budget, self.used = budget, 0
        self.items, self.rng = {}, rng

    def make_room(self, size):
        while self.items and self.used + size > self.budget:
            victim = self.rng.choice(list(self.items))
            self.used -= self.items.pop(victim).nbytes
        assert self.used + size <= self.budget

    def put(self, key, feats):
        self.items[key] = feats
        self.used += feats.nbytes

    def get(self, key):
        return self.items.get(key)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin1 = nn.Linear(DIM, DIM)
        self.lin2 = nn.Linear(DIM, DIM)

    def forward(self, x):
        x = self.lin1(x)
        return self.lin2(x.relu_())


class Service:
    def __init__(self):
        self.rng = random.Random(12)
        self.encoder = Encoder().cuda().eval()
        self.cache = FeatureCache(int(1.3 * GIB), self.rng)
        self.lengths = {}
        self.hits = 0

    def length(self, doc):
        if doc not in self.lengths:
            self.lengths[doc] = int(self.rng.triangular(1500, 26000, 4000))
        return self.lengths[doc]

    @torch.inference_mode()
    def features(self, doc):
        f = self.cache.get(doc)
        if f is not None:
            self.hits += 1
            return f
        n = self.length(doc)
        self.cache.make_room(n * DIM * 4)
        f = self.encoder(torch.randn(n, DIM, device="cuda"))
        self.cache.put(doc, f)
        return f

    def score(self, query, doc):
        f = self.features(doc)
        return (f @ query).max().item()


def main():
    torch.manual_seed(12)
    service = Service()
    query = torch.randn(DIM, device="cuda")
    for request in range(900):
        doc = service.rng.randrange(400)
        s = service.score(query, doc)
        if request % 25 == 0:
            print(f"{request} score {s:.2f} hits {service.hits} "
                  f"allocated {torch.cuda.memory_allocated() / GIB:.2f} reserved {torch.cuda.memory_reserved() / GIB:.2f}")


if __name__ == "__main__":
    main()
