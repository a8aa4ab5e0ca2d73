"""3-D U-Net on CT-like volumes. Random patches for training, Gaussian-weighted sliding window at test."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

PATCH = (64, 64, 64)
VOLUME = (96, 128, 128)
OVERLAP = 0.5
CLASSES = 3
BASE = 32
BATCH = 2
STEPS = 5
DEVICE = "cuda"


def block(cin, cout):
    return nn.Sequential(
        nn.Conv3d(cin, cout, 3, padding=1), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(0.01, inplace=True),
        nn.Conv3d(cout, cout, 3, padding=1), nn.InstanceNorm3d(cout, affine=True), nn.LeakyReLU(0.01, inplace=True))


class UNet3D(nn.Module):
    def __init__(self, cin=1, base=BASE, depth=4, use_ckpt=True):
        super().__init__()
        ch = [base * 2**i for i in range(depth)]
        self.enc = nn.ModuleList([block(cin if i == 0 else ch[i - 1], ch[i]) for i in range(depth)])
        self.up = nn.ModuleList([nn.ConvTranspose3d(ch[i], ch[i - 1], 2, 2) for i in range(depth - 1, 0, -1)])
        self.dec = nn.ModuleList([block(2 * ch[i - 1], ch[i - 1]) for i in range(depth - 1, 0, -1)])
        self.head = nn.Conv3d(base, CLASSES, 1)
        self.use_ckpt = use_ckpt

    def run(self, m, x):
        if self.use_ckpt and self.training and x.requires_grad:
            return checkpoint(m, x, use_reentrant=False)
        return m(x)

    def forward(self, x):
        skips = []
        for i, e in enumerate(self.enc):
            x = self.run(e, x)
            if i < len(self.enc) - 1:
                skips.append(x)
                x = F.max_pool3d(x, 2)
        for u, d in zip(self.up, self.dec):
            x = self.run(d, torch.cat([u(x), skips.pop()], 1))
        return self.head(x)


def dice_ce(logits, target):
    ce = F.cross_entropy(logits, target)
    p = logits.softmax(1)
    onehot = F.one_hot(target, CLASSES).movedim(-1, 1).float()
    dims = (0, 2, 3, 4)
    dice = (2 * (p * onehot).sum(dims) + 1e-5) / (p.sum(dims) + onehot.sum(dims) + 1e-5)
    return ce + 1 - dice[1:].mean()


def make_volume(seed):
    g = torch.Generator().manual_seed(seed)
    v = torch.randn(1, *VOLUME, generator=g)
    smooth = F.avg_pool3d(v[None], 9, 1, 4)[0, 0]
    lab = (smooth > 0.04).long() + (smooth > 0.08).long()
    return v + lab.float(), lab


def sample_patch(vol, lab):
    o = [int(torch.randint(0, s - p + 1, (1,))) for s, p in zip(VOLUME, PATCH)]
    sl = tuple(slice(a, a + p) for a, p in zip(o, PATCH))
    return vol[(slice(None), *sl)], lab[sl]


def gaussian_window():
    axes = [torch.exp(-0.5 * ((torch.arange(p) - (p - 1) / 2) / (p / 8)) ** 2) for p in PATCH]
    w = axes[0][:, None, None] * axes[1][None, :, None] * axes[2][None, None, :]
    return w.clamp(min=1e-4)


@torch.no_grad()
def sliding_window(model, vol):
    model.eval()
    out = torch.zeros(CLASSES, *VOLUME, device=DEVICE)
    norm = torch.zeros(1, *VOLUME, device=DEVICE)
    win = gaussian_window().to(DEVICE)
    starts = []
    for s, p in zip(VOLUME, PATCH):
        step = int(p * (1 - OVERLAP))
        starts.append(sorted({min(i, s - p) for i in range(0, s - p + step, step)}))
    n = 0
    for z in starts[0]:
        for y in starts[1]:
            for x in starts[2]:
                sl = (slice(None), slice(z, z + PATCH[0]), slice(y, y + PATCH[1]), slice(x, x + PATCH[2]))
                out[sl] += model(vol[sl][None].to(DEVICE))[0] * win
                norm[sl] += win
                n += 1
    return (out / norm).argmax(0), n


def main():
    torch.manual_seed(0)
    model = UNet3D().to(DEVICE)
    opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.99, nesterov=True, weight_decay=3e-5)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: (1 - e / STEPS) ** 0.9)
    vols = [make_volume(i) for i in range(2)]
    for step in range(STEPS):
        pairs = [sample_patch(*vols[(step + b) % 2]) for b in range(BATCH)]
        x = torch.stack([p[0] for p in pairs]).to(DEVICE)
        y = torch.stack([p[1] for p in pairs]).to(DEVICE)
        loss = dice_ce(model(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 12)
        opt.step()
        sched.step()
        print(f"step {step} loss {loss.item():.4f}")
    print("train peak GB", torch.cuda.max_memory_allocated() / 2**30)
    pred, n = sliding_window(model, vols[0][0])
    agree = (pred.cpu() == vols[0][1]).float().mean().item()
    print(f"windows {n} voxel acc {agree:.3f} peak GB {torch.cuda.max_memory_allocated() / 2**30:.2f}")


if __name__ == "__main__":
    main()
