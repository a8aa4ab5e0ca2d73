# limit: 2.0
"""Random access to long-form recordings: frame features are cached on the GPU up to a byte budget."""
import random
from collections import OrderedDict

import torch
import torch.nn as nn

torch.manual_seed(0)
rng = random.Random(14)


class FeatureCache:
    def __init__(self, frontend, budget_bytes):
        self.frontend, self.budget = frontend, budget_bytes
        self.store, self.used = OrderedDict(), 0

    def _evict(self, need):
        while self.used + need > self.budget and self.store:
            _, old = self.store.popitem(last=False)
            self.used -= old.numel() * old.element_size()

    def get(self, rec_id, frames):
        if rec_id in self.store:
            return self.store[rec_id]
        self._evict(frames * self.frontend.dim * 4)
        feat = self.frontend(rec_id, frames)
        self.store[rec_id] = feat
        self.used += feat.numel() * feat.element_size()
        return feat


class Frontend:
    """Stands for a pretrained encoder; writes into one tensor of the recording's own length."""

    dim = 512

    def __call__(self, rec_id, frames):
        feat = torch.empty(frames, self.dim, device="cuda")
        for s in range(0, frames, 8192):
            feat[s:s + 8192].normal_()
        return feat


class Probe(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, x):
        return self.f(x)


catalogue = {i: int(4096 * 20 ** rng.random()) for i in range(900)}
cache = FeatureCache(Frontend(), budget_bytes=int(1.55 * 2**30))
probe = Probe(Frontend.dim).cuda()
opt = torch.optim.SGD(probe.parameters(), lr=0.01)
order = list(catalogue)
rng.shuffle(order)
for step, rec in enumerate(order):
    feat = cache.get(rec, catalogue[rec])
    pos = torch.randint(0, feat.size(0), (256,), device="cuda")
    loss = nn.functional.cross_entropy(probe(feat[pos]), pos % 2)
    del feat
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(step, f"{cache.used / 2**20:.0f} MiB cached", round(loss.item(), 3), flush=True)
