# limit: 2.5
# nightly job: top-k recommendations for all user segments
import torch

torch.manual_seed(17)
dev = "cuda"
N_ITEMS, DIM, K = 100_000, 64, 50

items = torch.nn.functional.normalize(torch.randn(N_ITEMS, DIM, device=dev), dim=1)
popularity = torch.rand(N_ITEMS, device=dev)


class SegmentReader:
    """Yields user factors, new users first; the bulk comes in blocks of 4096."""

    def __init__(self):
        self.plan = [("new", 256)] * 6 + [("returning", 1024)] * 4 + [("bulk", 4096)] * 5

    def __iter__(self):
        for name, n in self.plan:
            yield name, torch.randn(n, DIM, device=dev)


def already_bought(n):
    rows = torch.arange(n, device=dev).repeat_interleave(5)
    cols = torch.randint(0, N_ITEMS, (n * 5,), device=dev)
    return rows, cols


def metric(idx):
    return idx.unique().numel() / N_ITEMS


top = []
coverage = []
with torch.no_grad():
    for i, (segment, users) in enumerate(SegmentReader()):
        scores = users @ items.t()
        scores.add_(popularity, alpha=0.1)
        scores[already_bought(len(users))] = float("-inf")
        for lo in range(0, len(users), 512):
            best = scores[lo:lo + 512].topk(K, dim=1).indices
            top.append(best.cpu())
        coverage.append(metric(best))
        print(f"{i:2d} {segment:10s} {len(users)} users, coverage {coverage[-1]:.3f}")

print("written", sum(len(t) for t in top))
