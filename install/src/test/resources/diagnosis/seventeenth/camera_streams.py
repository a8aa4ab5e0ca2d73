# limit: 2.0
"""Eight cameras, one CUDA stream each; the per-camera descriptors are fused and
a small head is trained on the default stream afterwards."""
import torch
from torch import nn

CAMERAS = 8
FRAMES, PATCHES, DIM = 64, 600, 1024


class Describer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(DIM, DIM), nn.GELU(), nn.Linear(DIM, DIM), nn.GELU(), nn.Linear(DIM, 96)
        )

    def forward(self, x):
        return self.net(x)


class Camera:
    def __init__(self, idx, net):
        self.idx, self.net = idx, net
        self.stream = torch.cuda.Stream()
        self.descriptor = None

    def grab(self):
        return torch.randn(FRAMES * PATCHES, DIM, device="cuda")

    @torch.no_grad()
    def process(self):
        with torch.cuda.stream(self.stream):
            self.stream.wait_stream(torch.cuda.default_stream())
            frames = self.grab()
            self.descriptor = self.net(frames)
        return self.descriptor


class Fusion(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Sequential(nn.Linear(96 * CAMERAS, 1024), nn.GELU(), nn.Linear(1024, 1024), nn.GELU())
        self.out = nn.Linear(1024, 4)

    def forward(self, x):
        return self.out(self.mix(x))


def fuse(cams):
    for c in cams:
        torch.cuda.current_stream().wait_stream(c.stream)
    return torch.cat([c.descriptor for c in cams], dim=1)


def main():
    torch.manual_seed(80)
    net = Describer().cuda().eval()
    cams = [Camera(i, net) for i in range(CAMERAS)]
    for sweep in range(2):
        for c in cams:
            c.process()
        torch.cuda.synchronize()
        print(f"sweep {sweep}: {[tuple(c.descriptor.shape) for c in cams[:2]]}", flush=True)
    head = Fusion().cuda()
    opt = torch.optim.SGD(head.parameters(), 0.01)
    x = fuse(cams)
    y = torch.randint(0, 4, (x.shape[0],), device="cuda")
    for step in range(10):
        loss = nn.functional.cross_entropy(head(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print("head", step, loss.item(), flush=True)


if __name__ == "__main__":
    main()
