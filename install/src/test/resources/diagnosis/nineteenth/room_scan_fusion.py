# limit: 0.75
# fuse the depth frames of a hand-held scan into one coloured cloud
import math
import torch

torch.manual_seed(0)
dev = torch.device("cuda")
H, W, FRAMES = 480, 640, 150
fx = fy = 525.0
cx, cy = W / 2, H / 2


def read_frame(i):
    """Stands in for the Kinect reader: depth in metres and an RGB image."""
    g = torch.Generator().manual_seed(i)
    depth = 1.5 + 0.5 * torch.rand(H, W, generator=g)
    rgb = torch.rand(H, W, 3, generator=g)
    return depth.to(dev), rgb.to(dev)


def pose(i):
    a = 2 * math.pi * i / FRAMES
    R = torch.tensor([[math.cos(a), 0.0, math.sin(a)], [0.0, 1.0, 0.0], [-math.sin(a), 0.0, math.cos(a)]])
    t = torch.tensor([0.3 * math.cos(a), 0.0, 0.3 * math.sin(a)])
    return R.to(dev), t.to(dev)


class Fusion:
    def __init__(self):
        v, u = torch.meshgrid(torch.arange(H, device=dev), torch.arange(W, device=dev), indexing="ij")
        self.rays = torch.stack([(u - cx) / fx, (v - cy) / fy, torch.ones_like(u)], -1).float()
        self.cloud = torch.empty(0, 6, device=dev)

    def back_project(self, depth, R, t):
        pts = (self.rays * depth[..., None]).reshape(-1, 3)
        return pts @ R.T + t

    def integrate(self, i):
        depth, rgb = read_frame(i)
        R, t = pose(i)
        pts = self.back_project(depth, R, t)
        self.cloud = torch.cat([self.cloud, torch.cat([pts, rgb.reshape(-1, 3)], 1)])

    def extent(self):
        xyz = self.cloud[:, :3]
        return (xyz.amax(0) - xyz.amin(0)).tolist()


fusion = Fusion()
for i in range(FRAMES):
    fusion.integrate(i)
    if i % 10 == 0:
        ex = ", ".join(f"{e:.2f}" for e in fusion.extent())
        print(f"frame {i:3d}: {len(fusion.cloud) / 1e6:.1f} M points, extent {ex}")

centre = fusion.cloud[:, :3].mean(0)
print("done", centre.tolist())
