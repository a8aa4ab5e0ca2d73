# limit: 1.5
import math
import random

import torch


class BadClip(ValueError):
    pass


def load_clip(rng, n=12 * 2 ** 20):
    x = torch.randn(n, device="cuda")
    if rng.random() < 0.4:
        x[rng.randrange(n)] = math.nan
    return x


def loudness(x):
    framed = x.view(-1, 1024)
    energy = framed.square()
    level = energy.mean(1)
    if not torch.isfinite(level).all():
        raise BadClip("non-finite loudness")
    return level


def normalise(rng):
    clip = load_clip(rng)
    level = loudness(clip)
    return (clip.view(-1, 1024) / level.sqrt().unsqueeze(1)).abs().mean().item()


class Report:
    def __init__(self):
        self.good, self.failed = [], []

    def run(self, count, seed):
        rng = random.Random(seed)
        for i in range(count):
            try:
                self.good.append(normalise(rng))
            except BadClip as err:
                self.failed.append((i, err))
            if i % 20 == 0:
                print(i, "good", len(self.good), "failed", len(self.failed))

    def show(self):
        for i, err in self.failed:
            print("clip", i, "->", err)
        print("mean", sum(self.good) / len(self.good))


if __name__ == "__main__":
    torch.manual_seed(0)
    report = Report()
    report.run(200, seed=1)
    report.show()
