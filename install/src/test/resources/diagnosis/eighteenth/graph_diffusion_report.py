# limit: 2.0
# notebook export: "supplier network, who is exposed to whom"
# %%
import torch

torch.manual_seed(2026)
dev = "cuda"
REGIONS = {"benelux": 3000, "iberia": 5000, "nordics": 6500, "dach": 8000, "emea": 13500}


# %%
def load_region(n, degree=12):
    """Row-normalised dense transition matrix with a few suppliers per firm."""
    adj = torch.zeros(n, n, device=dev)
    cols = torch.randint(0, n, (n, degree), device=dev)
    adj.scatter_(1, cols, 1.0 / degree)
    return adj


def restart_vector(n):
    r = torch.zeros(n, device=dev)
    r[: n // 100] = 100.0 / n
    return r


# %%
def exposure(adj, steps, alpha=0.85):
    p = adj
    for step in range(steps):
        p = alpha * (p @ p)
        p = p + (1 - alpha) * torch.eye(len(p), device=dev)
    return p


def spread(p, r):
    v = r @ p
    return v.topk(5)


# %%
results = {}
for region, n in REGIONS.items():
    adj = load_region(n)
    p = exposure(adj, steps=3)
    del adj
    top = spread(p, restart_vector(n))
    results[region] = (top.indices.tolist(), top.values.tolist())
    print(f"{region:8s} n={n:6d} top={results[region][0]} "
          f"peak={torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    del p, top
    torch.cuda.reset_peak_memory_stats()

# %%
for region, (idx, val) in results.items():
    print(region, [f"{i}:{v:.2e}" for i, v in zip(idx, val)])
