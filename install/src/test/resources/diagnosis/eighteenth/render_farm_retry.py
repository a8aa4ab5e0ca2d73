# limit: 1.5
"""Super-resolution of product shots. Jobs that do not fit are retried in two halves."""
import time

import torch
import torch.nn as nn


class Upscaler(nn.Module):
    def __init__(self, ch=64, blocks=4):
        super().__init__()
        self.head = nn.Conv2d(3, ch, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(ch, ch, 3, padding=1) for _ in range(blocks))
        self.up = nn.Sequential(nn.Conv2d(ch, 12, 3, padding=1), nn.PixelShuffle(2))

    def forward(self, x):
        feats = [self.head(x)]
        for b in self.blocks:
            feats.append(torch.relu(b(feats[-1])))
        return self.up(feats[0] + feats[-1]).clamp(0, 1)


class Job:
    def __init__(self, number, images, side):
        self.number, self.images, self.side = number, images, side

    def load(self):
        g = torch.Generator(device="cuda").manual_seed(self.number)
        return torch.rand(self.images, 3, self.side, self.side, device="cuda", generator=g)


class Farm:
    def __init__(self, model):
        self.model, self.retries = model, 0

    @torch.no_grad()
    def render(self, x):
        y = self.model(x)
        return y.mean(dim=(1, 2, 3)).tolist()

    def run(self, job):
        x = job.load()
        try:
            return self.render(x)
        except torch.cuda.OutOfMemoryError as err:
            self.retries += 1
            print(f"job {job.number}: {str(err)[:60]}... retrying in halves")
            torch.cuda.empty_cache()
            first, second = x.chunk(2)
            return self.render(first) + self.render(second)


def schedule():
    sides = [128, 160, 192, 192, 160, 128, 192, 320, 192, 160]
    for n, side in enumerate(sides):
        yield Job(n, 16, side)


def main():
    torch.manual_seed(1)
    farm = Farm(Upscaler().to("cuda").eval())
    start = time.time()
    for job in schedule():
        means = farm.run(job)
        print(f"job {job.number} side {job.side}: {len(means)} images, mean {sum(means) / len(means):.4f}, "
              f"{time.time() - start:.1f}s")
    print("retries:", farm.retries)


if __name__ == "__main__":
    main()
