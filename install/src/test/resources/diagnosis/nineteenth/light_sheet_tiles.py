# limit: 1.4
"""Deconvolve light-sheet tiles, several CUDA streams "for overlap"."""
import itertools
import torch

torch.manual_seed(40)
device = torch.device("cuda")
N_STREAMS, N_TILES = 8, 48
PLANES, H, W = 16, 1536, 2048


class TileSource:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield i, 0.5 + 0.5 * (i % 7) / 7


def max_projection(stack):
    return stack.amax(0)


def process(brightness):
    stack = torch.rand(PLANES, H, W, device=device)
    stack.mul_(brightness).sub_(0.1).clamp_(min=0)
    for _ in range(3):
        stack.sqrt_().mul_(0.97)
    proj = max_projection(stack)
    del stack
    return proj * (1.0 / brightness)


class Pipeline:
    def __init__(self, n_streams):
        self.streams = [torch.cuda.Stream() for _ in range(n_streams)]
        self.results = {}

    def run(self, source):
        ring = itertools.cycle(self.streams)
        for i, brightness in source:
            s = next(ring)
            with torch.cuda.stream(s):
                self.results[i] = process(brightness)
            if i % 4 == 0:
                print(f"tile {i} queued")
        torch.cuda.synchronize()

    def mosaic(self, columns=8):
        small = [r[::8, ::8] for _, r in sorted(self.results.items())]
        rows = [torch.cat(small[k:k + columns], 1) for k in range(0, len(small), columns)]
        return torch.cat(rows, 0)


pipe = Pipeline(N_STREAMS)
pipe.run(TileSource(N_TILES))
m = pipe.mosaic()
print("mosaic", tuple(m.shape), m.mean().item())
