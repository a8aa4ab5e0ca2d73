# limit: 2.0
# Intensity normalisation of CT volumes before they go to the registration step.
from dataclasses import dataclass

import torch


@dataclass
class Scan:
    patient: str
    shape: tuple


SCANS = [
    Scan("p001", (256, 256, 192)),
    Scan("p002", (384, 384, 256)),
    Scan("p003", (320, 320, 300)),
    Scan("p004", (640, 640, 512)),
    Scan("p005", (256, 256, 256)),
]


def read(scan, seed):
    g = torch.Generator(device="cuda").manual_seed(seed)
    vol = torch.rand(scan.shape, generator=g, device="cuda")
    return vol.mul_(3000).sub_(1000)


def windowed(vol, lo=-600.0, hi=1500.0):
    return vol.clamp_(lo, hi)


def zscore(vol):
    mean = vol.mean()
    std = vol.std()
    vol = (vol - mean) / std
    return vol


def preview(vol):
    step = max(1, vol.shape[0] // 64)
    return vol[::step, ::step, ::step].cpu()


def main():
    previews = {}
    for seed, scan in enumerate(SCANS):
        vol = windowed(read(scan, seed))
        vol = zscore(vol)
        previews[scan.patient] = preview(vol)
        print(scan.patient, scan.shape, f"mean {vol.mean():.4f} std {vol.std():.4f}")
        del vol
    print(len(previews), "previews")


if __name__ == "__main__":
    main()
