# limit: 2.0
"""Evaluation of a 105-class whole-body segmentation: dice per class, several volumes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES = 105
SHAPES = [(64, 96, 96), (80, 96, 96), (96, 96, 112), (96, 112, 112), (176, 160, 160), (96, 96, 96)]


class CoarseSeg(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv3d(1, 8, 3, stride=2, padding=1), nn.ReLU(),
                                 nn.Conv3d(8, 16, 3, stride=2, padding=1), nn.ReLU())
        self.out = nn.Conv3d(16, CLASSES, 1)

    def forward(self, x):
        small = self.out(self.enc(x)).argmax(1, keepdim=True).float()
        return F.interpolate(small, size=x.shape[-3:], mode="nearest")[:, 0].long()


class DiceMeter:
    def __init__(self, classes):
        self.inter = torch.zeros(classes, device="cuda")
        self.total = torch.zeros(classes, device="cuda")

    def update(self, pred, truth):
        p = F.one_hot(pred.flatten(), CLASSES)
        t = F.one_hot(truth.flatten(), CLASSES)
        self.inter += (p & t).sum(0)
        self.total += p.sum(0) + t.sum(0)

    def compute(self):
        return (2 * self.inter / self.total.clamp(min=1)).mean().item()


class Evaluator:
    def __init__(self, net):
        self.net, self.meter = net.to("cuda").eval(), DiceMeter(CLASSES)

    @torch.inference_mode()
    def run(self, volumes):
        for i, (vol, truth) in enumerate(volumes):
            for z in range(0, vol.shape[2], 16):
                slab, ref = vol[:, :, z:z + 16], truth[:, z:z + 16]
                if vol.shape[2] <= 100:
                    self.meter.update(self.net(slab), ref)
            if vol.shape[2] > 100:                      # long scans: the slabs lose context
                self.meter.update(self.net(vol), truth)
            print(f"volume {i} {tuple(vol.shape[2:])} dice so far {self.meter.compute():.4f}")


def volumes():
    for i, shape in enumerate(SHAPES):
        g = torch.Generator(device="cuda").manual_seed(i)
        vol = torch.rand(1, 1, *shape, device="cuda", generator=g)
        yield vol, (vol[:, 0] * CLASSES).long().clamp_(max=CLASSES - 1)


if __name__ == "__main__":
    torch.manual_seed(0)
    Evaluator(CoarseSeg()).run(volumes())
