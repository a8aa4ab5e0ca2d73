"""3-D U-Net for CT organ segmentation: patch training in fp16, gaussian-weighted sliding window over a full volume."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


@dataclass
class Cfg:
    patch: int = 96
    volume: tuple = (128, 160, 160)
    classes: int = 4
    width: int = 24
    levels: int = 4
    batch: int = 2
    steps: int = 4
    overlap: float = 0.5
    lr: float = 1e-2
    seed: int = 23


class Double(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv3d(cin, cout, 3, padding=1, bias=False), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(0.01),
            nn.Conv3d(cout, cout, 3, padding=1, bias=False), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(0.01),
        )


class UNet3D(nn.Module):
    def __init__(self, c: Cfg):
        super().__init__()
        dims = [c.width * 2**i for i in range(c.levels)]
        self.enc = nn.ModuleList([Double(1 if i == 0 else dims[i - 1], d) for i, d in enumerate(dims)])
        self.up = nn.ModuleList([nn.ConvTranspose3d(dims[i], dims[i - 1], 2, 2) for i in range(c.levels - 1, 0, -1)])
        self.dec = nn.ModuleList([Double(2 * dims[i - 1], dims[i - 1]) for i in range(c.levels - 1, 0, -1)])
        self.heads = nn.ModuleList([nn.Conv3d(dims[i - 1], c.classes, 1) for i in range(c.levels - 1, 0, -1)])

    def forward(self, x):
        skips = []
        for i, e in enumerate(self.enc):
            if i:
                x = F.max_pool3d(x, 2)
            # only the full-resolution stage is worth recomputing
            x = checkpoint(e, x, use_reentrant=False) if i == 0 and self.training else e(x)
            skips.append(x)
        skips.pop()
        outs = []
        for up, dec, head in zip(self.up, self.dec, self.heads):
            x = dec(torch.cat([up(x), skips.pop()], 1))
            outs.append(head(x))
        return outs[::-1] if self.training else outs[-1]


def dice_ce(logits, y, classes):
    logits = logits.float()
    ce = F.cross_entropy(logits, y)
    p = logits.softmax(1)
    one = F.one_hot(y, classes).movedim(-1, 1).float()
    dims = (0, 2, 3, 4)
    dice = (2 * (p * one).sum(dims) + 1e-5) / (p.sum(dims) + one.sum(dims) + 1e-5)
    return ce + 1 - dice[1:].mean()


def synth(n, shape, classes, device):
    y = torch.randint(0, classes, (n, 1, *[max(2, s // 16) for s in shape]), device=device).float()
    y = F.interpolate(y, size=shape, mode="nearest")
    x = y / classes + 0.2 * torch.randn(n, 1, *shape, device=device)
    return x, y[:, 0].long()


def gaussian_map(p, device):
    a = torch.arange(p, device=device).float() - (p - 1) / 2
    g = torch.exp(-(a**2) / (2 * (p / 8) ** 2))
    w = g[:, None, None] * g[None, :, None] * g[None, None, :]
    return w.clamp(min=1e-4)


@torch.no_grad()
def sliding(net, vol, c: Cfg):
    p, step = c.patch, int(c.patch * (1 - c.overlap))
    grids = [sorted({min(i, s - p) for i in range(0, s - p + step, step)}) for s in vol.shape[2:]]
    acc = torch.zeros(c.classes, *vol.shape[2:], device=vol.device)
    wsum = torch.zeros(vol.shape[2:], device=vol.device)
    w = gaussian_map(p, vol.device)
    for i in grids[0]:
        for j in grids[1]:
            for k in grids[2]:
                with torch.autocast("cuda", dtype=torch.float16):
                    o = net(vol[:, :, i:i + p, j:j + p, k:k + p])[0].float()
                acc[:, i:i + p, j:j + p, k:k + p] += o * w
                wsum[i:i + p, j:j + p, k:k + p] += w
    return (acc / wsum).argmax(0)


def main():
    c = Cfg()
    torch.manual_seed(c.seed)
    device = torch.device("cuda")
    net = UNet3D(c).to(device)
    opt = torch.optim.SGD(net.parameters(), lr=c.lr, momentum=0.99, nesterov=True, weight_decay=3e-5)
    scaler = torch.amp.GradScaler("cuda")
    net.train()
    for step in range(c.steps):
        for group in opt.param_groups:
            group["lr"] = c.lr * (1 - step / c.steps) ** 0.9
        x, y = synth(c.batch, (c.patch,) * 3, c.classes, device)
        with torch.autocast("cuda", dtype=torch.float16):
            outs = net(x)
        loss = 0.0
        for lvl, o in enumerate(outs):
            yy = y[:, :: 2**lvl, :: 2**lvl, :: 2**lvl]
            loss = loss + dice_ce(o, yy, c.classes) / 2**lvl
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 12)
        scaler.step(opt)
        scaler.update()
        print(f"step {step} loss {loss.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    net.eval()
    vol, lab = synth(1, c.volume, c.classes, device)
    pred = sliding(net, vol, c)
    print("voxel accuracy", (pred == lab[0]).float().mean().item())


if __name__ == "__main__":
    main()
