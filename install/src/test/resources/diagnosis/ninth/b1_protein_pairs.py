# limit: 2
"""Nearest structures for 40000 binding pockets."""
import torch

dev = torch.device("cuda")
POCKETS, LIBRARY, DIM, K = 40_000, 120_000, 48, 8


def fingerprints(rows, seed):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(rows, DIM, generator=g)


class Library:
    def __init__(self, prints):
        self.prints = prints.to(dev)
        self.square = self.prints.pow(2).sum(1)

    def slab(self, queries):
        d = queries.pow(2).sum(1, keepdim=True) + self.square
        d.addmm_(queries, self.prints.T, alpha=-2.0)
        return d.clamp_(min=0)

    def nearest(self, queries, rows=1024):
        n = queries.shape[0]
        index = torch.empty(n, K, dtype=torch.long, device=dev)
        distance = torch.empty(n, K, device=dev)
        for i in range(0, n, rows):
            d = self.slab(queries[i:i + rows])
            best = d.topk(K, dim=1, largest=False)
            index[i:i + rows], distance[i:i + rows] = best.indices, best.values.sqrt()
        return index, distance


@torch.no_grad()
def main():
    library = Library(fingerprints(LIBRARY, 1))
    queries = fingerprints(POCKETS, 2).to(dev)
    for rounds in range(5):
        index, distance = library.nearest(queries)
        nearest = library.prints[index[:, 0]]
        queries = queries.lerp(nearest, 0.2)
        print("round", rounds, "mean distance", distance[:, 0].mean().item())
    print("most often", index.flatten().bincount(minlength=LIBRARY).argmax().item())


main()
