# limit: 4
"""Build a two-level index: raw shards first, their summaries stay for the search."""
import torch
import torch.nn.functional as F

torch.manual_seed(0)
device = torch.device("cuda")
N_SHARDS, ROWS, DIM = 370, 8192, 256
KEEP = 1536


def load_shard(i):
    return torch.randn(ROWS, DIM, device=device)


def summarize(shard):
    start = torch.randint(0, ROWS - KEEP, (1,)).item()
    return shard[start:start + KEEP].clone()


raw, summaries = [], []
for i in range(N_SHARDS):
    shard = load_shard(i)
    raw.append(shard)
    summaries.append(summarize(shard))

centers = torch.stack([F.normalize(s.mean(0), dim=0) for s in raw])
print("centers", centers.shape)
del shard
raw.clear()

# second phase: product space of the centres, needs one big work area
work = torch.empty(400, 1024, 1024, device=device)
for i, s in enumerate(summaries):
    work[i % 400, : KEEP // 2, :512].copy_(s.view(KEEP // 2, 512))
scores = work.sum((1, 2))
print(scores.topk(5))
