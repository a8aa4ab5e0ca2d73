# limit: 1.5
"""Embed the shop catalogue with the item tower and hold the index on the GPU for exact search."""
import torch
from torch import nn


class ItemTower(nn.Module):
    def __init__(self, n_words=50_000, dim=768):
        super().__init__()
        self.words = nn.EmbeddingBag(n_words, 256, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Linear(512, dim))

    def forward(self, title):
        return nn.functional.normalize(self.mlp(self.words(title)), dim=-1)


class Index:
    def __init__(self, dim, device):
        self.dim = dim
        self.vectors = torch.empty(0, dim, device=device)
        self.ids = []

    def add(self, ids, vecs):
        self.vectors = torch.cat([self.vectors, vecs])
        self.ids.extend(ids)

    def search(self, queries, k=10):
        scores = queries @ self.vectors.T
        top = scores.topk(k, dim=1)
        return [[self.ids[j] for j in row] for row in top.indices.tolist()]

    @property
    def mib(self):
        return self.vectors.numel() * 4 / 2 ** 20


def catalogue(n_chunks, rows):
    g = torch.Generator().manual_seed(5)
    for c in range(n_chunks):
        titles = torch.randint(0, 50_000, (rows, 12), generator=g)
        yield range(c * rows, (c + 1) * rows), titles


def main(device="cuda"):
    torch.manual_seed(5)
    tower = ItemTower().to(device).eval()
    index = Index(768, device)
    with torch.no_grad():
        for n, (ids, titles) in enumerate(catalogue(24, 16_384)):
            index.add(ids, tower(titles.to(device)))
            print(f"chunk {n:2d}: {len(index.ids):7d} items, {index.mib:.0f} MiB")
        q = tower(torch.randint(0, 50_000, (32, 12), device=device))
        hits = index.search(q)
    print("first query:", hits[0])


if __name__ == "__main__":
    main()
