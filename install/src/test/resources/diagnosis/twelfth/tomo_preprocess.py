# limit: 1.5
"""Standardise a tomography volume and take random training patches of it."""
import torch

SHAPE = (900, 512, 512)       # float32, 900 MiB


def acquire(shape):
    vol = torch.empty(shape, device="cuda")
    for z in range(0, shape[0], 50):
        g = torch.Generator(device="cuda").manual_seed(z)
        vol[z:z + 50].normal_(mean=120.0, std=30.0, generator=g)
        vol[z:z + 50].clamp_(0, 255)
    return vol


def ring_correction(vol):
    for z in range(vol.shape[0]):
        vol[z] -= vol[z].median()
    return vol


def standardise(vol):
    mean = vol.mean()
    std = vol[::10].std()
    vol = (vol - mean) / std
    return vol


def patches(vol, n, size=64):
    for _ in range(n):
        z, y, x = [int(torch.randint(0, d - size, (1,))) for d in vol.shape]
        yield vol[z:z + size, y:y + size, x:x + size]


def main():
    torch.manual_seed(0)
    vol = acquire(SHAPE)
    print("acquired", vol.shape)
    vol = ring_correction(vol)
    print("rings removed")
    vol = standardise(vol)
    for p in patches(vol, 8):
        print(round(p.mean().item(), 4), round(p.std().item(), 4))


if __name__ == "__main__":
    main()
