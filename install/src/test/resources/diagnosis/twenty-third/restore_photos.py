# limit: 1.2
"""Photo restoration. If a batch does not fit it is split in two and tried again, down to one picture.

One picture needs some 250 MB, so splitting should always succeed in the end.
"""
import logging

import torch
import torch.nn as nn

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)


class Restorer(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.inp = nn.Conv2d(3, c, 3, padding=1)
        self.mid = nn.ModuleList(nn.Conv2d(c, c, 3, padding=1) for _ in range(4))
        self.out = nn.Conv2d(c * 5, 3, 1)

    def forward(self, x):
        f0 = torch.relu_(self.inp(x))
        f1 = torch.relu_(self.mid[0](f0))
        f2 = torch.relu_(self.mid[1](f1))
        f3 = torch.relu_(self.mid[2](f2))
        f4 = torch.relu_(self.mid[3](f3))
        dense = torch.cat([f0, f1, f2, f3, f4], 1)
        return x + self.out(dense)


class Pipeline:
    def __init__(self):
        self.net = Restorer().cuda().eval()
        self.splits = 0

    @torch.no_grad()
    def restore(self, photos):
        try:
            return self.net(photos.cuda()).clamp_(0, 1).cpu()
        except torch.OutOfMemoryError:
            if len(photos) == 1:
                raise
            self.splits += 1
            half = len(photos) // 2
            logging.warning("batch of %d does not fit, splitting", len(photos))
            torch.cuda.empty_cache()
            return torch.cat([self.restore(photos[:half]), self.restore(photos[half:])])


def folder(n_batches, sizes=(2, 2, 3, 2, 16, 2)):
    g = torch.Generator().manual_seed(6)
    for i in range(n_batches):
        yield torch.rand(sizes[i % len(sizes)], 3, 512, 768, generator=g)


def main():
    torch.manual_seed(6)
    pipe = Pipeline()
    for i, photos in enumerate(folder(12)):
        out = pipe.restore(photos)
        psnr = -10 * torch.log10((out - photos).square().mean())
        logging.info("batch %d: %d photos, change %.1f dB, splits %d", i, len(out), psnr, pipe.splits)


if __name__ == "__main__":
    main()
