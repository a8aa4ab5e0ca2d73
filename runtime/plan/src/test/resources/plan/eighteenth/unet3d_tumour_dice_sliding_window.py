"""3-D U-Net for tumour segmentation from 4-channel MRI patches.

Training on 64^3 patches, deep supervision, Dice + CE, mixed precision with GradScaler.
Evaluation runs Gaussian-weighted sliding windows over a whole volume.
"""
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

IN_CH, N_CLS = 4, 4
WIDTHS = (32, 64, 128, 256)
PATCH = 64
BATCH = 3
STEPS = 5
VOLUME = (128, 128, 96)
OVERLAP = 0.5


def conv_block(ci, co):
    return nn.Sequential(
        nn.Conv3d(ci, co, 3, padding=1, bias=False), nn.InstanceNorm3d(co, affine=True), nn.LeakyReLU(0.01, True),
        nn.Conv3d(co, co, 3, padding=1, bias=False), nn.InstanceNorm3d(co, affine=True), nn.LeakyReLU(0.01, True),
    )


class UNet3D(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.ModuleList()
        prev = IN_CH
        for w in WIDTHS:
            self.enc.append(conv_block(prev, w))
            prev = w
        self.pool = nn.MaxPool3d(2)
        self.up, self.dec, self.heads = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for lo, hi in zip(WIDTHS[-2::-1], WIDTHS[:0:-1]):
            self.up.append(nn.ConvTranspose3d(hi, lo, 2, stride=2))
            self.dec.append(conv_block(2 * lo, lo))
            self.heads.append(nn.Conv3d(lo, N_CLS, 1))

    def forward(self, x):
        skips = []
        for i, e in enumerate(self.enc):
            x = e(x if i == 0 else self.pool(x))
            skips.append(x)
        skips.pop()
        outs = []
        for up, dec, head in zip(self.up, self.dec, self.heads):
            x = dec(torch.cat([up(x), skips.pop()], dim=1))
            outs.append(head(x))
        return outs if self.training else outs[-1]


def dice_ce(logits, target):
    logits = logits.float()
    ce = F.cross_entropy(logits, target)
    prob = logits.softmax(1)
    onehot = F.one_hot(target, N_CLS).permute(0, 4, 1, 2, 3).to(prob.dtype)
    dims = (0, 2, 3, 4)
    inter = (prob * onehot).sum(dims)
    denom = prob.sum(dims) + onehot.sum(dims)
    dice = (2 * inter + 1e-5) / (denom + 1e-5)
    return ce + 1 - dice[1:].mean()


def supervised(outs, target):
    total, weight = 0.0, 1.0
    for o in reversed(outs):
        scale = target.shape[-1] // o.shape[-1]
        t = target[:, ::scale, ::scale, ::scale]
        total = total + weight * dice_ce(o, t)
        weight *= 0.5
    return total


def gaussian_map(size, device):
    ax = torch.arange(size, device=device) - (size - 1) / 2
    g = torch.exp(-(ax ** 2) / (2 * (size / 8) ** 2))
    return (g[:, None, None] * g[None, :, None] * g[None, None, :]).clamp(min=1e-4)


@torch.inference_mode()
def sliding_window(model, vol):
    model.eval()
    step = int(PATCH * (1 - OVERLAP))
    starts = [sorted({*range(0, s - PATCH + 1, step), s - PATCH}) for s in vol.shape[-3:]]
    acc = torch.zeros(N_CLS, *vol.shape[-3:], device=vol.device)
    norm = torch.zeros(vol.shape[-3:], device=vol.device)
    wmap = gaussian_map(PATCH, vol.device)
    for z, y, x in itertools.product(*starts):
        sl = (slice(z, z + PATCH), slice(y, y + PATCH), slice(x, x + PATCH))
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(vol[(slice(None), slice(None)) + sl])
        acc[(slice(None),) + sl] += out[0].float() * wmap
        norm[sl] += wmap
    return (acc / norm).argmax(0)


def main():
    torch.manual_seed(0)
    dev = torch.device("cuda")
    model = UNet3D().to(dev)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.99, nesterov=True, weight_decay=3e-5)
    scaler = torch.amp.GradScaler("cuda")
    poly = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: (1 - s / (STEPS + 1)) ** 0.9)
    for step in range(STEPS):
        x = torch.randn(BATCH, IN_CH, PATCH, PATCH, PATCH, device=dev)
        y = (x.mean(1) * 4).round().long().clamp(0, N_CLS - 1)
        with torch.autocast("cuda", dtype=torch.float16):
            outs = model(x)
        loss = supervised(outs, y)
        opt.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(model.parameters(), 12)
        scaler.step(opt)
        scaler.update()
        poly.step()
        print(f"step {step} loss {loss.item():.4f}")
        model.train()
    print("train peak MiB", torch.cuda.max_memory_allocated() // 2**20)
    seg = sliding_window(model, torch.randn(1, IN_CH, *VOLUME, device=dev))
    print("predicted voxels per class", torch.bincount(seg.flatten(), minlength=N_CLS).tolist())


if __name__ == "__main__":
    main()
