# limit: 1.2
# Preprocessing of CT scans on the GPU before training (HU window, z-score, gamma).
import torch
import torch.nn.functional as F

device = "cuda"


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, vol):
        for step in self.steps:
            vol = step(vol)
        return vol


def window(lo, hi):
    def f(v):
        return v.clamp(lo, hi)
    return f


def zscore(v):
    return (v - v.mean()) / (v.std(correction=0) + 1e-5)


def gamma(g):
    def f(v):
        return v.sign() * v.abs().pow(g)
    return f


def load_scan(case, slices):
    g = torch.Generator().manual_seed(case)
    slab = torch.randint(-1000, 1500, (8, 512, 512), generator=g, dtype=torch.int16)
    scan = torch.empty(slices, 512, 512, device=device)
    for z in range(0, slices, 8):
        scan[z:z + 8] = slab.to(device)
    return scan


prep = Compose(window(-400, 1000), zscore, gamma(0.8))
cases = {101: 96, 102: 160, 103: 200, 104: 440, 105: 120}

for case, n in cases.items():
    vol = load_scan(case, n)
    vol = prep(vol)
    small = F.interpolate(vol[None, None], size=(64, 128, 128), mode="nearest")[0, 0].cpu()
    print(f"case {case}: {n} slices, mean {small.mean():.3f}, std {small.std():.3f}")
    del vol
