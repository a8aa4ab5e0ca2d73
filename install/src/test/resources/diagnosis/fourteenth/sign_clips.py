# limit: 2.75
"""Sign-language clips in GPU memory. Stage 1: short clips. Stage 2: half of the short ones for
rehearsal, plus long clips."""
import random

import torch

random.seed(18)
torch.manual_seed(18)
dev = "cuda"
FRAME = (512, 512)  # 1 MiB as float32


class ClipStore:
    def __init__(self):
        self.clips = {}

    def load(self, key, frames):
        clip = torch.empty(frames, *FRAME, device=dev).uniform_()
        self.clips[key] = clip

    def drop(self, key):
        del self.clips[key]

    def mib(self):
        return sum(c.numel() for c in self.clips.values()) * 4 / 2 ** 20


def dataset_statistics(n_frames=2200):
    """Mean and deviation over a sample of frames (one go, it fits)."""
    sample = torch.empty(n_frames, *FRAME, device=dev).uniform_()
    m, s = sample.mean().item(), sample.std().item()
    return m, s


def score(clip, mean, std):
    centre = (clip[:, 250:260, 250:260] - mean) / std
    return centre.abs().mean().item()


def main():
    mean, std = dataset_statistics()
    print(f"mean {mean:.3f} std {std:.3f}")
    store = ClipStore()
    for i in range(64):
        store.load(("short", i), random.randint(24, 40))
    total = sum(score(c, mean, std) for c in store.clips.values())
    print(f"stage 1: {len(store.clips)} clips, {store.mib():.0f} MiB, score {total:.2f}")

    for i in range(1, 64, 2):
        store.drop(("short", i))
    print(f"stage 2: keeping {store.mib():.0f} MiB")
    for i in range(22):
        store.load(("long", i), random.randint(44, 54))
        if i % 4 == 0:
            print(f"  long clip {i}, store {store.mib():.0f} MiB")
    total = sum(score(c, mean, std) for c in store.clips.values())
    print(f"stage 2: score {total:.2f}")


if __name__ == "__main__":
    main()
