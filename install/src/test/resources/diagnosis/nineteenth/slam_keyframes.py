# limit: 1.25
# visual SLAM toy: dense features per frame, keyframe selection, then a fused feature volume
import torch
import torch.nn.functional as F

torch.manual_seed(31)
device = torch.device("cuda")
C, H, W = 96, 128, 128
N_FRAMES, KEEP_EVERY = 156, 3


class FeatureFrontend:
    """Stands in for the CNN: features come out of a precomputed bank."""

    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return torch.randn(C, H, W, device=device)


class Map:
    def __init__(self):
        self.frames = {}

    def add(self, i, feat):
        self.frames[i] = feat

    def prune(self):
        keys = sorted(self.frames)
        for n, k in enumerate(keys):
            if n % KEEP_EVERY:
                del self.frames[k]
        print(f"{len(self.frames)} keyframes left, "
              f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB allocated, "
              f"{torch.cuda.memory_reserved() / 2**20:.0f} MiB reserved")

    def fuse(self, grid=(32, 256, 256)):
        volume = torch.zeros(64, *grid, device=device)
        for n, (k, f) in enumerate(sorted(self.frames.items())):
            plane = F.interpolate(f[None, :64], size=grid[1:], mode="bilinear", align_corners=False)[0]
            volume[:, n % grid[0]].add_(plane)
        return volume.div_(len(self.frames))


def track(slam, frontend, n):
    score = 0.0
    prev = None
    for i in range(n):
        feat = frontend.next()
        slam.add(i, feat)
        if prev is not None and i % 26 == 0:
            score = torch.dot(prev[0].flatten(), feat[0].flatten()).item() / (H * W)
            print(f"frame {i}: similarity to previous {score:+.4f}")
        prev = feat
    return score


slam, frontend = Map(), FeatureFrontend()
track(slam, frontend, N_FRAMES)
slam.prune()
vol = slam.fuse()
print("volume energy", vol.square().mean().item())
