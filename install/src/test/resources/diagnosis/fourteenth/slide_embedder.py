# limit: 2.1
"""Whole-slide pathology: tile features per slide, thumbnails of the features are kept for the atlas."""
import torch
import torch.nn as nn

torch.manual_seed(50)


def claim_memory(gib):
    """The server is shared: take the memory at the start so that nobody else does."""
    block = torch.empty(int(gib * 2 ** 28), device="cuda")
    del block


class TileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(64, 1024, bias=False)

    def forward(self, x):
        return self.proj(x).relu_()


class Atlas:
    def __init__(self):
        self.thumbs = []

    def add(self, feats):
        self.thumbs.append(feats[:3072].clone())


@torch.no_grad()
def process(net, atlas, tiles, rows):
    maps = []
    for t in range(tiles):
        pixels = torch.rand(rows, 64, device="cuda")
        maps.append(net(pixels))
        atlas.add(maps[-1])
    # contrast between neighbouring tiles
    return sum((a[:64].mean() - b[:64].mean()).abs().item() for a, b in zip(maps, maps[1:]))


def main():
    claim_memory(1.5)
    net, atlas = TileNet().cuda().eval(), Atlas()
    slides = [("biopsy-1", 11, 28_672), ("resection-1", 8, 40_960), ("resection-2", 8, 40_960)]
    for name, tiles, rows in slides:
        c = process(net, atlas, tiles, rows)
        print(f"{name}: {tiles} tiles, contrast {c:.4f}, atlas {len(atlas.thumbs)} thumbs")


main()
