"""3-D U-Net for tumour segmentation, checkpointing the two highest-resolution levels."""
import itertools
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

DEV = "cuda"
PATCH = 96
BATCH = 2
WIDTH = 24
STEPS = 4
VOLUME = (144, 176, 144)
MODALITIES, CLASSES = 4, 4


def conv_block(cin, cout):
    return nn.Sequential(
        nn.Conv3d(cin, cout, 3, padding=1, bias=False), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(0.01, inplace=True),
        nn.Conv3d(cout, cout, 3, padding=1, bias=False), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(0.01, inplace=True),
    )


class UNet3D(nn.Module):
    def __init__(self, cin, classes, w, levels=4, ckpt_levels=2):
        super().__init__()
        chans = [min(w * 2 ** i, 320) for i in range(levels)]
        self.enc = nn.ModuleList(conv_block(cin if i == 0 else chans[i - 1], chans[i]) for i in range(levels))
        self.up = nn.ModuleList(nn.ConvTranspose3d(chans[i + 1], chans[i], 2, stride=2) for i in range(levels - 1))
        self.dec = nn.ModuleList(conv_block(2 * chans[i], chans[i]) for i in range(levels - 1))
        self.heads = nn.ModuleList(nn.Conv3d(chans[i], classes, 1) for i in range(levels - 1))
        self.ckpt_levels = ckpt_levels

    def _run(self, block, x, level):
        if self.training and level < self.ckpt_levels:
            return checkpoint(block, x, use_reentrant=False)
        return block(x)

    def forward(self, x):
        skips = []
        for i, block in enumerate(self.enc):
            x = self._run(block, x, i)
            if i < len(self.enc) - 1:
                skips.append(x)
                x = F.max_pool3d(x, 2)
        outs = []
        for i in reversed(range(len(self.dec))):
            x = torch.cat([self.up[i](x), skips[i]], 1)
            x = self._run(self.dec[i], x, i)
            outs.append(self.heads[i](x))
        return outs[::-1] if self.training else outs[-1]


def deep_supervision_loss(outs, target):
    total, weight = 0.0, 1.0
    for out in outs:
        t = target if out.shape[2:] == target.shape[1:] else \
            F.interpolate(target[:, None].float(), out.shape[2:], mode="nearest")[:, 0].long()
        prob = out.softmax(1)
        hot = torch.zeros_like(prob).scatter_(1, t[:, None], 1.0)
        dice = 1 - (2 * (prob * hot).sum((2, 3, 4)) + 1e-5) / ((prob + hot).sum((2, 3, 4)) + 1e-5)
        total = total + weight * (F.cross_entropy(out, t) + dice.mean())
        weight /= 2
    return total


def gaussian_window(size):
    c = torch.arange(size) - (size - 1) / 2
    g = torch.exp(-(c / (size / 4)) ** 2)
    return g[:, None, None] * g[None, :, None] * g[None, None, :]


@torch.no_grad()
def infer_volume(model, vol):
    win = gaussian_window(PATCH).to(DEV)
    out = torch.zeros(CLASSES, *vol.shape[1:], device=DEV)
    norm = torch.zeros(vol.shape[1:], device=DEV)
    starts = [sorted({*range(0, s - PATCH, PATCH // 2), s - PATCH}) for s in vol.shape[1:]]
    for z, y, x in itertools.product(*starts):
        sl = (slice(z, z + PATCH), slice(y, y + PATCH), slice(x, x + PATCH))
        patch = vol[(slice(None), *sl)].to(DEV)
        out[(slice(None), *sl)] += model(patch[None])[0].softmax(0) * win
        norm[sl] += win
    return (out / norm).argmax(0).cpu()


if __name__ == "__main__":
    torch.manual_seed(2024)
    net = UNet3D(MODALITIES, CLASSES, WIDTH).to(DEV)
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.99, nesterov=True, weight_decay=3e-5)
    for step in range(STEPS):
        x = torch.randn(BATCH, MODALITIES, PATCH, PATCH, PATCH).to(DEV)
        y = torch.randint(CLASSES, (BATCH, PATCH, PATCH, PATCH)).to(DEV)
        loss = deep_supervision_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 12)
        opt.step()
        print(f"step {step} loss {loss.item():.4f} mem {torch.cuda.max_memory_allocated() >> 20} MiB")
    with tempfile.TemporaryDirectory() as d:
        torch.save(net.state_dict(), os.path.join(d, "unet3d.pt"))
    net.eval()
    seg = infer_volume(net, torch.randn(MODALITIES, *VOLUME))
    print("segmentation", tuple(seg.shape), "labels", seg.unique().tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 2 ** 30:.2f} GiB")
