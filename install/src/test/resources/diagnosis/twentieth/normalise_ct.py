# limit: 1.1
"""Preprocess CT series: clip to the lung window, standardise, take patch statistics."""
import logging

import torch

logger = logging.getLogger(__name__)
logging.basicConfig(level="INFO")

SERIES = [("p001", 140), ("p002", 220), ("p003", 180), ("p004", 260), ("p005", 400), ("p006", 150)]


def read_series(name, slices, device):
    # stands for the DICOM reader
    g = torch.Generator(device=device).manual_seed(abs(hash(len(name))) % 1000 + slices)
    vol = torch.empty(slices, 512, 512, device=device)
    for z in range(slices):
        vol[z].normal_(-500.0, 350.0, generator=g)
    return vol


def window(vol, lo=-1000.0, hi=400.0):
    return vol.clamp_(lo, hi)


def standardise(vol):
    mean = vol.mean()
    std = vol.flatten()[::1009].std()
    vol = (vol - mean) / std
    return vol


def patch_stats(vol, size=64):
    d = vol.shape[0] // 4
    out = []
    for i in range(4):
        part = vol[i * d:(i + 1) * d]
        p = torch.nn.functional.avg_pool2d(part[:, None], size)
        out.append(p.amax(0).flatten())
    return torch.stack(out)


def process(name, slices, device="cuda"):
    vol = read_series(name, slices, device)
    vol = window(vol)
    vol = standardise(vol)
    stats = patch_stats(vol)
    return stats.cpu()


def main():
    results = {}
    for name, slices in SERIES:
        logger.info("%s: %d slices, %.0f MiB", name, slices, slices * 512 * 512 * 4 / 2 ** 20)
        results[name] = process(name, slices)
    for name, s in results.items():
        logger.info("%s -> %s", name, tuple(s.shape))


if __name__ == "__main__":
    main()
