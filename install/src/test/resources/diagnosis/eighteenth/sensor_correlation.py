# limit: 1.0
# monthly_correlation.ipynb, exported for the scheduler
# In[1]:
import tempfile
import json
import os

import torch

torch.manual_seed(404)
device = torch.device("cuda")
plants = [("antwerp", 2500), ("gdansk", 4200), ("setubal", 6100), ("ludwigshafen", 19_000)]


# In[2]:
def read_channels(n, samples=720):
    """Hourly values, n channels; the real thing reads parquet."""
    t = torch.arange(samples, device=device) / 24
    phase = torch.rand(n, 1, device=device) * 6.28
    x = torch.sin(6.28 * t + phase)
    return x + 0.5 * torch.randn(n, samples, device=device)


def standardise(x):
    x = x - x.mean(1, keepdim=True)
    return x / x.norm(dim=1, keepdim=True).clamp(min=1e-9)


# In[3]:
def top_pairs(x, k=20):
    z = standardise(x)
    corr = z @ z.t()
    corr.fill_diagonal_(0)
    val, idx = corr.abs().max(dim=1)
    top = val.topk(k)
    rows = top.indices
    return [(int(r), int(c), float(v)) for r, c, v in zip(rows.tolist(), idx[rows].tolist(), top.values.tolist())]


# In[4]:
def write(folder, plant, pairs):
    path = os.path.join(folder, plant + ".json")
    with open(path, "w") as fh:
        json.dump(pairs, fh)
    return os.path.getsize(path)


# In[5]:
with tempfile.TemporaryDirectory() as out:
    for plant, n in plants:
        for month in range(1, 4):
            pairs = top_pairs(read_channels(n))
            size = write(out, f"{plant}-{month:02d}", pairs)
            print(f"{plant} month {month}: strongest {pairs[0]}, {size} bytes")
