# limit: 2.2
import torch

DIM = 2048
ROWS = 3891          # rows of one shard file


def read_shards(n):
    for i in range(n):
        yield torch.randn(ROWS, DIM, device="cuda")


def pick(shard, every=24):
    return shard[::every].clone()


def load(n):
    shards, chosen = [], []
    for i, shard in enumerate(read_shards(n)):
        shards.append(shard)
        chosen.append(pick(shard))
    mean = sum(s.mean(0) for s in shards) / n
    return chosen, mean


def spread(points):
    """Farthest points first, from the matrix of similarities."""
    similarity = points @ points.T
    order = [0]
    nearest = similarity[0].clone()
    for _ in range(20):
        nxt = nearest.argmin()
        order.append(nxt)
        nearest = torch.maximum(nearest, similarity[nxt])
    return order


chosen, mean = load(60)
print("shards read; now", torch.cuda.memory_allocated() // 2**20, "MiB in use")
points = torch.cat(chosen).sub_(mean)
print("coreset", tuple(points.shape))
order = spread(points)
print("first picks", [int(o) for o in order[:5]])
