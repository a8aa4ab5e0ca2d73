# limit: 2.2
"""Features of a handful of scanned meshes, then one descriptor matrix."""
import torch

MB = 2 ** 20
N = 8


def raw_scan(i):
    """A scan of 240 to 254 MiB, sizes differ from mesh to mesh."""
    n = (240 + 2 * i) * MB // 4
    pts = torch.empty(n, device="cuda")
    return pts.uniform_(-1, 1)


def statistics():
    scans = [raw_scan(i) for i in range(N)]
    lo = min(s.min().item() for s in scans)
    hi = max(s.max().item() for s in scans)
    return lo, hi


def features(i, lo, hi):
    """About half as large as the scan, recomputed from its seed."""
    n = (130 + 2 * (i % 5)) * MB // 4
    f = torch.empty(n, device="cuda").uniform_(lo, hi)
    return f.mul_(1.0 / (hi - lo))


def descriptor(cache, words=51200, dim=2048):
    d = torch.zeros(words, dim, device="cuda")
    for row, f in enumerate(cache.values()):
        d[row::len(cache)] += f[:dim]
    return d


def main():
    torch.manual_seed(0)
    lo, hi = statistics()
    print("range", lo, hi)
    cache = {}
    for i in range(N):
        cache[i] = features(i, lo, hi)
        print("mesh", i, "feature MiB", cache[i].numel() * 4 // MB)
    d = descriptor(cache)
    print("descriptor norm", d.norm().item())


main()
