# 3-D residual U-Net on MRI-like patches, deep supervision, gaussian sliding window at the end.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2024)
device = torch.device("cuda")
PATCH = 64
VOLUME = (96, 112, 96)
N_CLASSES = 4
BASE = 24
STEPS = 5


class ResBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv3d(cin, cout, 3, stride, 1, bias=False)
        self.norm1 = nn.InstanceNorm3d(cout, affine=True)
        self.conv2 = nn.Conv3d(cout, cout, 3, 1, 1, bias=False)
        self.norm2 = nn.InstanceNorm3d(cout, affine=True)
        self.act = nn.LeakyReLU(0.01, inplace=True)
        self.skip = nn.Identity() if cin == cout and stride == 1 else nn.Conv3d(cin, cout, 1, stride)

    def forward(self, x):
        h = self.act(self.norm1(self.conv1(x)))
        h = self.norm2(self.conv2(h))
        return self.act(h + self.skip(x))


class UNet3D(nn.Module):
    def __init__(self, cin, ncls, base):
        super().__init__()
        c = [base, base * 2, base * 4, base * 8]
        self.enc = nn.ModuleList([ResBlock(cin, c[0])] + [ResBlock(a, b, 2) for a, b in zip(c, c[1:])])
        self.up = nn.ModuleList([nn.ConvTranspose3d(b, a, 2, 2) for a, b in zip(c, c[1:])])
        self.dec = nn.ModuleList([ResBlock(2 * a, a) for a in c[:-1]])
        self.heads = nn.ModuleList([nn.Conv3d(a, ncls, 1) for a in c[:-1]])

    def forward(self, x):
        feats = []
        for e in self.enc:
            x = e(x)
            feats.append(x)
        outs = []
        for i in reversed(range(len(self.dec))):
            x = self.dec[i](torch.cat([self.up[i](x), feats[i]], 1))
            if self.training or i == 0:
                outs.append(self.heads[i](x))
        return outs[::-1] if self.training else outs[0]


def dice_ce(logits, target):
    ce = F.cross_entropy(logits, target)
    p = logits.float().softmax(1)
    t = F.one_hot(target, N_CLASSES).movedim(-1, 1).to(p.dtype)
    dims = (0, 2, 3, 4)
    dice = (2 * (p * t).sum(dims) + 1e-5) / (p.sum(dims) + t.sum(dims) + 1e-5)
    return ce + 1 - dice[1:].mean()


def deep_supervision_loss(outs, target):
    loss, wsum = 0.0, 0.0
    for i, o in enumerate(outs):
        w = 0.5 ** i
        t = target if i == 0 else F.interpolate(target[:, None].float(), size=o.shape[2:], mode="nearest")[:, 0].long()
        loss = loss + w * dice_ce(o, t)
        wsum += w
    return loss / wsum


def gaussian_window(n):
    x = torch.arange(n, dtype=torch.float32) - (n - 1) / 2
    g = torch.exp(-0.5 * (x / (n / 8)) ** 2)
    return (g[:, None, None] * g[None, :, None] * g[None, None, :]).clamp_min(1e-4)


@torch.no_grad()
def sliding_window(model, vol, patch, overlap=0.5):
    model.eval()
    w = gaussian_window(patch).to(vol.device)
    out = torch.zeros(1, N_CLASSES, *vol.shape[2:], device=vol.device)
    norm = torch.zeros(1, 1, *vol.shape[2:], device=vol.device)
    step = int(patch * (1 - overlap))
    starts = [sorted({*range(0, s - patch, step), s - patch}) for s in vol.shape[2:]]
    for z in starts[0]:
        for y in starts[1]:
            for x in starts[2]:
                sl = (..., slice(z, z + patch), slice(y, y + patch), slice(x, x + patch))
                with torch.autocast("cuda", dtype=torch.bfloat16):
                    logits = model(vol[sl])
                out[sl] += logits.float() * w
                norm[sl] += w
    return (out / norm).argmax(1)


model = UNet3D(4, N_CLASSES, BASE).to(device)
opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.99, nesterov=True, weight_decay=3e-5)
poly = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=STEPS, power=0.9)
for step in range(STEPS):
    x = torch.randn(2, 4, PATCH, PATCH, PATCH, device=device)
    y = (x.mean(1) * 2).clamp(0, N_CLASSES - 1).long()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        outs = model(x)
        loss = deep_supervision_loss(outs, y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 12)
    opt.step()
    poly.step()
    print(f"step {step} loss {loss.item():.4f}")
print("train peak MB", torch.cuda.max_memory_allocated() // 10**6)
seg = sliding_window(model, torch.randn(1, 4, *VOLUME, device=device), PATCH)
print("segmentation", tuple(seg.shape), torch.bincount(seg.flatten(), minlength=N_CLASSES).tolist())
print("final peak MB", torch.cuda.max_memory_allocated() // 10**6)
