# limit: 3.0
"""Intensity normalisation of whole-body CT on the GPU before slicing into patches."""
import argparse

import torch

PATIENTS = [("p01", (320, 512, 512)), ("p02", (400, 512, 512)),
            ("p03", (512, 512, 512)), ("p04", (640, 704, 704))]


def load(shape, seed):
    torch.manual_seed(seed)
    v = torch.rand(shape, device="cuda")
    return v.mul_(3000).sub_(1000)


def window(v, lo=-1000.0, hi=1000.0):
    return v.clamp_(lo, hi)


def normalise(v):
    mean = v.mean()
    std = v.std()
    v = (v - mean) / (std + 1e-6)
    return v


def patches(v, size=64, n=32):
    z, y, x = v.shape
    out = []
    for i in range(n):
        a = (i * 37) % (z - size)
        b = (i * 53) % (y - size)
        c = (i * 71) % (x - size)
        out.append(v[a:a + size, b:b + size, c:c + size].cpu())
    return torch.stack(out)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--patch", type=int, default=64)
    args, _ = ap.parse_known_args()
    for pid, shape in PATIENTS:
        vol = load(shape, seed=len(pid) + shape[0])
        vol = window(vol)
        vol = normalise(vol)
        p = patches(vol, args.patch)
        print(pid, shape, "patches", tuple(p.shape), f"mean {p.mean():.4f}")
        del vol


if __name__ == "__main__":
    main()
