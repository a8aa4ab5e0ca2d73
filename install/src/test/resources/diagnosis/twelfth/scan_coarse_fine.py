# limit: 1.5
"""Coarse pass over a scan gives the box, the fine pass keeps the region of interest."""
import torch

COARSE = (320, 512, 256)     # 160 MiB
FINE = (240, 384, 256)       # 90 MiB
SCANS = 12
dev = torch.device("cuda")


def coarse_box(seed):
    gen = torch.Generator(device=dev).manual_seed(seed)
    grid = torch.empty(COARSE, device=dev)
    grid.uniform_(0, 1, generator=gen)
    grid.pow_(8)
    spans = []
    for keep in range(3):
        dims = [d for d in range(3) if d != keep]
        profile = grid.amax(dim=dims)
        inside = (profile > 0.5).nonzero().flatten()
        spans.append((int(inside[0]), int(inside[-1])) if len(inside) else (0, 1))
    return spans


def fine_region(seed, spans):
    gen = torch.Generator(device=dev).manual_seed(seed + 1000)
    region = torch.empty(FINE, device=dev)
    region.normal_(generator=gen)
    for axis, (a, b) in enumerate(spans):
        region.mul_(1.0 + 0.001 * (b - a) / COARSE[axis])
    return region


def main():
    regions = []
    for s in range(SCANS):
        spans = coarse_box(s)
        regions.append(fine_region(s, spans))
        used = torch.cuda.memory_allocated() / 2**20
        print(f"scan {s:2d} spans {spans} allocated {used:.0f} MiB", flush=True)
    means = torch.stack([r.mean() for r in regions])
    dev_from = max((r.std() - 1).abs().item() for r in regions)
    print("population mean", means.mean().item(), "worst std offset", dev_from)


if __name__ == "__main__":
    main()
