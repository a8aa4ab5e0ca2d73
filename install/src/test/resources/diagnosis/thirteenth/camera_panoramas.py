# limit: 1.9
"""Change detection from 24 cameras: each keeps its latest stitched panorama, of whatever size the stitcher gives."""
import math

import numpy as np
import torch
import torch.nn.functional as F

torch.manual_seed(1)
rng = np.random.default_rng(77)
dev = torch.device("cuda")


class Camera:
    def __init__(self, name):
        self.name, self.pano, self.changes = name, None, []

    def thumbnail(self, img):
        return F.interpolate(img[None], size=(64, 256), mode="area")[0]

    def update(self, pano):
        new = self.thumbnail(pano)
        if self.pano is not None:
            diff = (new - self.thumbnail(self.pano)).abs().mean().item()
            self.changes.append(diff)
        self.pano = pano


def stitch(level):
    """Float panorama of between 10 and 150 MiB."""
    mib = 10 * 15 ** level
    width = int(math.sqrt(mib * 2**20 / 12 * 4))
    height = width // 4
    out = torch.empty(3, height, width, device=dev)
    out.uniform_()
    return out


class Monitor:
    def __init__(self, n):
        self.cameras = [Camera(f"cam{i:02d}") for i in range(n)]

    def run(self, events):
        for e in range(events):
            cam = self.cameras[int(rng.integers(len(self.cameras)))]
            cam.update(stitch(float(rng.random())))
            if e % 250 == 0:
                held = sum(c.pano.numel() * 4 for c in self.cameras if c.pano is not None)
                print(f"event {e}: {held / 2**20:.0f} MiB of panoramas", flush=True)

    def report(self):
        for c in self.cameras:
            print(c.name, len(c.changes), f"{np.mean(c.changes):.5f}")


monitor = Monitor(24)
monitor.run(4000)
monitor.report()
