# limit: 2
import torch


def init_centres(points, k):
    return points[torch.randint(0, len(points), (k,), device=points.device)].clone()


def assign(points, centres):
    distance = (points[:, None, :] - centres[None, :, :]).pow(2).sum(-1)
    return distance.argmin(1), distance


def update(points, labels, k):
    sums = torch.zeros(k, points.shape[1], device=points.device).index_add_(0, labels, points)
    counts = torch.zeros(k, device=points.device).index_add_(0, labels, torch.ones(len(points), device=points.device))
    return sums / counts.clamp_min(1).unsqueeze(1)


def kmeans(points, k, rounds):
    centres = init_centres(points, k)
    for r in range(rounds):
        labels, distance = assign(points, centres)
        centres = update(points, labels, k)
        print(f"{len(points)} points, k={k}, round {r}: inertia {distance.min(1).values.mean().item():.4f}")
    return centres, labels


torch.manual_seed(0)
vectors = torch.randn(500_000, 32, device="cuda")
coarse, _ = kmeans(vectors[:100_000], 8, rounds=3)
fine, labels = kmeans(vectors, 64, rounds=10)
print(torch.bincount(labels, minlength=64)[:10].tolist())
