# limit: 1.75
# Atlas of cell patches: stain statistics of the reference slides, then prototypes of
# every slide of the cohort, then the affinity matrix of the cohort.
import torch

torch.manual_seed(0)
dev = torch.device("cuda")

SLIDES = 12
PATCHES, PIXELS = 6400, 64 * 64


def read_slide(i):
    g = torch.Generator(device=dev).manual_seed(i)
    return torch.rand(PATCHES, PIXELS, device=dev, generator=g)


def reference_stain(n=14):
    stack = torch.rand(n, PATCHES, PIXELS, device=dev)
    return stack.mean(), stack.std()


class Atlas:
    def __init__(self):
        self.prototypes = []

    def add_cohort(self, mean, std):
        cohort = []
        for i in range(SLIDES):
            pixels = read_slide(i)
            pixels.sub_(mean).div_(std)
            cohort.append(pixels)
            self.prototypes.append(pixels[::43].contiguous())
        # brightness of a slide relative to the cohort
        means = torch.stack([p.mean() for p in cohort])
        for proto, m in zip(self.prototypes, means - means.mean()):
            proto.sub_(m)
        print("cohort read,", torch.cuda.memory_allocated() >> 20, "MiB in use")

    def affinity(self, resolution=11_000):
        grid = torch.zeros(resolution, resolution, device=dev)
        for a, p in enumerate(self.prototypes):
            for b, q in enumerate(self.prototypes):
                n = len(p)
                grid[a * n:(a + 1) * n, b * n:(b + 1) * n] = p @ q.T
        return grid


def main():
    mean, std = reference_stain()
    print("stain", mean.item(), std.item())
    atlas = Atlas()
    atlas.add_cohort(mean, std)
    print("before the affinity:", torch.cuda.memory_allocated() >> 20, "MiB in use")
    grid = atlas.affinity()
    print("affinity", tuple(grid.shape), float(grid.abs().max()))


if __name__ == "__main__":
    main()
