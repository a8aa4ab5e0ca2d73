#!/usr/bin/env python
"""3-D residual U-Net for CT organs. Patch training with Dice+CE, sliding-window inference with a gaussian map."""
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

PATCH = 96
BATCH = 2
WIDTHS = (24, 48, 96, 192)
CLASSES = 5
ITERS = 5
VOLUME = (160, 192, 176)
OVERLAP = 0.5


class ResBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.c1 = nn.Conv3d(cin, cout, 3, stride, 1, bias=False)
        self.n1 = nn.InstanceNorm3d(cout, affine=True)
        self.c2 = nn.Conv3d(cout, cout, 3, 1, 1, bias=False)
        self.n2 = nn.InstanceNorm3d(cout, affine=True)
        self.skip = nn.Conv3d(cin, cout, 1, stride) if (stride != 1 or cin != cout) else nn.Identity()

    def forward(self, x):
        h = F.leaky_relu(self.n1(self.c1(x)), 0.01, inplace=True)
        return F.leaky_relu(self.n2(self.c2(h)) + self.skip(x), 0.01)


class UNet3D(nn.Module):
    def __init__(self, widths, n_cls):
        super().__init__()
        self.stem = ResBlock(1, widths[0])
        self.down = nn.ModuleList(ResBlock(a, b, 2) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(nn.ConvTranspose3d(b, a, 2, 2) for a, b in zip(widths, widths[1:]))
        self.dec = nn.ModuleList(ResBlock(2 * a, a) for a in widths[:-1])
        self.head = nn.Conv3d(widths[0], n_cls, 1)

    def forward(self, x):
        skips = [self.stem(x)]
        for d in self.down:
            skips.append(d(skips[-1]))
        h = skips.pop()
        for up, dec in zip(reversed(self.up), reversed(self.dec)):
            h = dec(torch.cat([up(h), skips.pop()], 1))
        return self.head(h)


def dice_ce(logits, y):
    ce = F.cross_entropy(logits, y)
    p = logits.softmax(1)
    onehot = F.one_hot(y, CLASSES).permute(0, 4, 1, 2, 3).float()
    dims = (0, 2, 3, 4)
    dice = (2 * (p * onehot).sum(dims) + 1e-5) / (p.sum(dims) + onehot.sum(dims) + 1e-5)
    return ce + 1 - dice[1:].mean()


def gaussian(size, device):
    t = torch.arange(size, device=device) - (size - 1) / 2
    g = torch.exp(-(t**2) / (2 * (size / 8) ** 2))
    return g[:, None, None] * g[None, :, None] * g[None, None, :]


@torch.no_grad()
def sliding_window(model, vol, device):
    D = vol.shape[-3:]
    step = int(PATCH * (1 - OVERLAP))
    starts = [sorted({*range(0, max(d - PATCH, 0) + 1, step), max(d - PATCH, 0)}) for d in D]
    acc = torch.zeros(1, CLASSES, *D, device=device)
    wsum = torch.zeros(1, 1, *D, device=device)
    g = gaussian(PATCH, device)
    for z, y, x in itertools.product(*starts):
        sl = (..., slice(z, z + PATCH), slice(y, y + PATCH), slice(x, x + PATCH))
        acc[sl] += model(vol[sl]) * g
        wsum[sl] += g
    return (acc / wsum).argmax(1)


def main():
    torch.manual_seed(2024)
    device = torch.device("cuda")
    net = UNet3D(WIDTHS, CLASSES).to(device)
    opt = torch.optim.SGD(net.parameters(), 0.01, momentum=0.99, nesterov=True, weight_decay=3e-5)
    for it in range(ITERS):
        x = torch.randn(BATCH, 1, PATCH, PATCH, PATCH, device=device)
        y = torch.randint(0, CLASSES, (BATCH, PATCH, PATCH, PATCH), device=device)
        loss = dice_ce(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 12)
        opt.step()
        print(it, round(loss.item(), 4))
    net.eval()
    seg = sliding_window(net, torch.randn(1, 1, *VOLUME).to(device), device)
    print("segmented", tuple(seg.shape), torch.bincount(seg.flatten(), minlength=CLASSES).tolist())
    print("mem", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
