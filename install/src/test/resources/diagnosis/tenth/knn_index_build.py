# limit: 2
import torch
import torch.nn as nn


class Embedder(nn.Module):
    def __init__(self, out=1024):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(300, 512), nn.ReLU(), nn.Linear(512, out))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=-1)


class Index:
    def __init__(self, dim):
        self.vectors = torch.empty(0, dim, device="cuda")

    def add(self, vectors):
        self.vectors = torch.cat([self.vectors, vectors])

    def search(self, queries, k=10):
        return (queries @ self.vectors.T).topk(k, dim=1)

    def __len__(self):
        return self.vectors.shape[0]


@torch.no_grad()
def build(embedder, documents=400_000, chunk=16_384):
    index = Index(1024)
    for first in range(0, documents, chunk):
        n = min(chunk, documents - first)
        words = torch.randn(n, 300, device="cuda")
        index.add(embedder(words))
        print(f"{len(index)} documents indexed")
    return index


embedder = Embedder().cuda().eval()
index = build(embedder)
with torch.no_grad():
    values, ids = index.search(embedder(torch.randn(32, 300, device="cuda")))
print(ids[:, 0].tolist())
