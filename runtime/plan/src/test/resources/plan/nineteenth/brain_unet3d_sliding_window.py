"""3-D residual U-Net trained on patches; whole volumes predicted with a sliding window.
Trilinear upsampling, GroupNorm, fp32 training, activation checkpointing on the top level."""
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

DEV = "cuda"
PATCH = 64
VOLUME = (112, 128, 112)
OVERLAP = 0.25
BATCH = 2
STEPS = 5
WIDTHS = (24, 48, 96, 192)
N_MOD, N_CLS = 4, 4
SW_BATCH = 4


class ResBlock3d(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.c1 = nn.Conv3d(cin, cout, 3, padding=1)
        self.n1 = nn.GroupNorm(8, cout)
        self.c2 = nn.Conv3d(cout, cout, 3, padding=1)
        self.n2 = nn.GroupNorm(8, cout)
        self.skip = nn.Conv3d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        h = F.leaky_relu(self.n1(self.c1(x)), 0.01)
        h = self.n2(self.c2(h))
        return F.leaky_relu(h + self.skip(x), 0.01)


class UNet3d(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.ModuleList()
        prev = N_MOD
        for w in WIDTHS:
            self.enc.append(ResBlock3d(prev, w))
            prev = w
        self.dec = nn.ModuleList(ResBlock3d(a + b, b) for a, b in zip(WIDTHS[:0:-1], WIDTHS[-2::-1]))
        self.head = nn.Conv3d(WIDTHS[0], N_CLS, 1)

    def forward(self, x):
        feats = []
        for i, blk in enumerate(self.enc):
            if i:
                x = F.max_pool3d(x, 2)
            if i == 0 and self.training:
                x = checkpoint(blk, x, use_reentrant=False)
            else:
                x = blk(x)
            feats.append(x)
        feats.pop()
        for i, blk in enumerate(self.dec):
            x = F.interpolate(x, scale_factor=2, mode="trilinear", align_corners=False)
            x = torch.cat([x, feats.pop()], 1)
            if i == len(self.dec) - 1 and self.training:
                x = checkpoint(blk, x, use_reentrant=False)
            else:
                x = blk(x)
        return self.head(x)


def make_volume(gen):
    lab = F.interpolate(torch.rand(1, 1, 6, 6, 6, generator=gen), VOLUME, mode="trilinear")[0, 0]
    lab = (lab * N_CLS).long().clamp(0, N_CLS - 1)
    vol = torch.randn(N_MOD, *VOLUME, generator=gen) * 0.3 + lab[None].float()
    return vol, lab


def random_patch(vol, lab, gen):
    o = [int(torch.randint(0, s - PATCH + 1, (1,), generator=gen)) for s in VOLUME]
    sl = tuple(slice(a, a + PATCH) for a in o)
    return vol[(slice(None),) + sl], lab[sl]


def starts(size):
    step = int(PATCH * (1 - OVERLAP))
    s = list(range(0, size - PATCH, step))
    return s + [size - PATCH]


@torch.no_grad()
def sliding_window(model, vol):
    model.eval()
    vol = vol.to(DEV)
    acc = torch.zeros(N_CLS, *VOLUME, device=DEV)
    cnt = torch.zeros(1, *VOLUME, device=DEV)
    ax = torch.linspace(-1, 1, PATCH, device=DEV)
    w1 = torch.exp(-(ax**2) / 0.25)
    w = w1[:, None, None] * w1[None, :, None] * w1[None, None, :] + 1e-3
    corners = list(itertools.product(*[starts(s) for s in VOLUME]))
    for i in range(0, len(corners), SW_BATCH):
        chunk = corners[i : i + SW_BATCH]
        tiles = torch.stack([vol[:, a : a + PATCH, b : b + PATCH, c : c + PATCH] for a, b, c in chunk])
        probs = model(tiles).softmax(1)
        for p, (a, b, c) in zip(probs, chunk):
            acc[:, a : a + PATCH, b : b + PATCH, c : c + PATCH] += p * w
            cnt[:, a : a + PATCH, b : b + PATCH, c : c + PATCH] += w
    model.train()
    return (acc / cnt).argmax(0)


def main():
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(99)
    cases = [make_volume(gen) for _ in range(2)]
    net = UNet3d().to(DEV)
    opt = torch.optim.SGD(net.parameters(), lr=1e-2, momentum=0.99, nesterov=True, weight_decay=3e-5)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=STEPS, power=0.9)
    net.train()
    for it in range(STEPS):
        xs, ys = zip(*[random_patch(*cases[k % 2], gen) for k in range(BATCH)])
        x, y = torch.stack(xs).to(DEV), torch.stack(ys).to(DEV)
        logits = net(x)
        onehot = F.one_hot(y, N_CLS).movedim(-1, 1).float()
        p = logits.softmax(1)
        dice = 1 - (2 * (p * onehot).sum((0, 2, 3, 4)) / (p + onehot).sum((0, 2, 3, 4)).clamp_min(1)).mean()
        loss = F.cross_entropy(logits, y) + dice
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 12)
        opt.step()
        sched.step()
        print(it, f"{loss.item():.4f}", f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB held")
    torch.cuda.empty_cache()
    vol, lab = cases[0]
    pred = sliding_window(net, vol)
    print("voxel accuracy", (pred.cpu() == lab).float().mean().item())
    print("peak", torch.cuda.max_memory_allocated() / 2**30)


main()
