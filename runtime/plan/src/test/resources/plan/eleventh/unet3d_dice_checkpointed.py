"""3-D U-Net, deep volumes, Dice+CE, non-reentrant checkpointing of the two outermost levels."""
import argparse
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

ap = argparse.ArgumentParser()
ap.add_argument("--patch", type=int, default=96)
ap.add_argument("--batch", type=int, default=2)
ap.add_argument("--base", type=int, default=24)
ap.add_argument("--steps", type=int, default=4)
ap.add_argument("--volume", type=int, default=144)
args = ap.parse_args()
dev = "cuda"


def conv_block(ci, co):
    return nn.Sequential(
        nn.Conv3d(ci, co, 3, padding=1, bias=False), nn.InstanceNorm3d(co, affine=True), nn.LeakyReLU(0.01, inplace=True),
        nn.Conv3d(co, co, 3, padding=1, bias=False), nn.InstanceNorm3d(co, affine=True), nn.LeakyReLU(0.01, inplace=True),
    )


class UNet3D(nn.Module):
    def __init__(self, cin=1, classes=4, base=24, depth=4, ckpt_levels=2):
        super().__init__()
        ch = [base * 2 ** i for i in range(depth)]
        self.enc = nn.ModuleList([conv_block(cin if i == 0 else ch[i - 1], ch[i]) for i in range(depth)])
        self.up = nn.ModuleList([nn.ConvTranspose3d(ch[i + 1], ch[i], 2, stride=2) for i in range(depth - 1)])
        self.dec = nn.ModuleList([conv_block(2 * ch[i], ch[i]) for i in range(depth - 1)])
        self.head = nn.Conv3d(ch[0], classes, 1)
        self.ckpt_levels = ckpt_levels

    def _run(self, block, x, level):
        if self.training and level < self.ckpt_levels:
            return checkpoint(block, x, use_reentrant=False)
        return block(x)

    def forward(self, x):
        skips = []
        for i, blk in enumerate(self.enc):
            if i:
                x = F.max_pool3d(x, 2)
            x = self._run(blk, x, i)
            skips.append(x)
        for i in reversed(range(len(self.dec))):
            x = torch.cat([self.up[i](x), skips[i]], dim=1)
            x = self._run(self.dec[i], x, i)
        return self.head(x)


def dice_loss(logits, target, eps=1e-5):
    p = logits.softmax(1)
    t = F.one_hot(target, logits.shape[1]).permute(0, 4, 1, 2, 3).float()
    inter = (p * t).sum((2, 3, 4))
    denom = p.sum((2, 3, 4)) + t.sum((2, 3, 4))
    return 1 - ((2 * inter + eps) / (denom + eps))[:, 1:].mean()


def phantom(n, size):
    grid = torch.stack(torch.meshgrid(*[torch.linspace(-1, 1, size)] * 3, indexing="ij"))
    lab = torch.zeros(n, size, size, size, dtype=torch.long)
    for b in range(n):
        for c in (1, 2, 3):
            centre = torch.rand(3) - 0.5
            r = 0.15 + 0.3 * torch.rand(1)
            lab[b][((grid - centre.view(3, 1, 1, 1)) ** 2).sum(0) < r ** 2] = c
    return (lab.float() + 0.5 * torch.randn(lab.shape)).unsqueeze(1), lab


@torch.no_grad()
def sliding(model, vol, patch, overlap=0.5):
    model.eval()
    s = vol.shape[-1]
    stride = int(patch * (1 - overlap))
    starts = sorted(set(list(range(0, s - patch + 1, stride)) + [s - patch]))
    out = torch.zeros(1, 4, s, s, s, device=vol.device)
    cnt = torch.zeros(1, 1, s, s, s, device=vol.device)
    for z, y, x in itertools.product(starts, repeat=3):
        sl = (slice(None), slice(None), slice(z, z + patch), slice(y, y + patch), slice(x, x + patch))
        out[sl] += model(vol[sl])
        cnt[sl] += 1
    return (out / cnt).argmax(1)


torch.manual_seed(0)
model = UNet3D(base=args.base).to(dev)
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.99, nesterov=True, weight_decay=3e-5)
for step in range(args.steps):
    vol, lab = phantom(args.batch, args.patch)
    vol, lab = vol.to(dev), lab.to(dev)
    logits = model(vol)
    loss = dice_loss(logits, lab) + F.cross_entropy(logits, lab)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 12)
    opt.step()
    for g in opt.param_groups:
        g["lr"] = 0.01 * (1 - (step + 1) / (args.steps + 1)) ** 0.9
    print("step", step, "loss", round(loss.item(), 4), "MiB", torch.cuda.memory_allocated() >> 20)
del logits, loss
torch.cuda.empty_cache()
big, ref = phantom(1, args.volume)
seg = sliding(model, big.to(dev), args.patch)
print("voxel acc", (seg.cpu() == ref).float().mean().item(), "peak MiB", torch.cuda.max_memory_allocated() >> 20)
