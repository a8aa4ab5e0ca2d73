# limit: 2.2
"""Spectra of image tiles, one CUDA stream per worker."""
import torch

SIDE = 9579          # about 350 MiB of floats


class Worker:
    def __init__(self, idx):
        self.idx = idx
        self.stream = torch.cuda.Stream()
        self.results = []

    def process(self, seed):
        with torch.cuda.stream(self.stream):
            g = torch.Generator(device="cuda").manual_seed(seed)
            tile = torch.randn(SIDE, SIDE, generator=g, device="cuda")
            power = tile.square()
            del tile
            rows = power[:4096, :512] * 0.5
            self.results.append(rows)
            level = power.mean()
            del power
        self.stream.synchronize()
        return level.item()


def run(n_workers, tiles_each):
    workers = [Worker(i) for i in range(n_workers)]
    for w in workers:
        for t in range(tiles_each):
            level = w.process(seed=100 * w.idx + t)
        print(f"worker {w.idx}: last level {level:.4f}, {len(w.results)} results")
    return workers


def merge(workers):
    rows = [r for w in workers for r in w.results]
    return torch.stack([r.mean() for r in rows]).mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    done = run(n_workers=8, tiles_each=2)
    print("merged", merge(done))
