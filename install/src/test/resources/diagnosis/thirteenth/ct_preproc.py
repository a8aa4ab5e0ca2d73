# limit: 1.5
"""CT lung volumes: load, resample intensities, standardise, sliding-window segmentation."""
import logging
from dataclasses import dataclass

import torch
import torch.nn as nn

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger("ct")
torch.manual_seed(2)


@dataclass
class Case:
    name: str
    slices: int


class CasePipeline:
    def __init__(self, net, device="cuda", window=32):
        self.net, self.device, self.window = net.eval().to(device), device, window

    def read(self, case):
        vol = torch.empty(case.slices, 512, 512, device=self.device)
        g = torch.Generator(device=self.device).manual_seed(case.slices)
        for s in vol:
            s.normal_(-300.0, 400.0, generator=g)
        return vol

    def standardise(self, vol):
        mean, std = vol.mean(), vol.std()
        vol = (vol - mean) / (std + 1e-6)
        return vol

    @torch.no_grad()
    def segment(self, vol):
        voxels = 0
        for z in range(0, vol.size(0), self.window):
            for y in range(0, 512, 128):
                patch = vol[z:z + self.window, y:y + 128, 192:320]
                mask = self.net(patch[None, None]) > 0
                voxels += int(mask.sum())
        return voxels

    def __call__(self, case):
        vol = self.read(case)
        logger.info("%s read %s", case.name, tuple(vol.shape))
        vol = self.standardise(vol)
        return self.segment(vol)


net = nn.Sequential(
    nn.Conv3d(1, 8, 3, padding=1), nn.ReLU(inplace=True),
    nn.Conv3d(8, 8, 3, padding=1), nn.ReLU(inplace=True),
    nn.Conv3d(8, 1, 1),
)
pipeline = CasePipeline(net)
cases = [Case("LU-001", 180), Case("LU-002", 240), Case("LU-003", 320), Case("LU-004", 300),
         Case("LU-005", 600), Case("LU-006", 220)]
for c in cases:
    logger.info("%s: %d voxels", c.name, pipeline(c))
