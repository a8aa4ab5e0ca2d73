"""3-D residual U-Net on random patches of a volume; inference by overlapping windows with gaussian weights."""
from dataclasses import dataclass
import itertools

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


@dataclass
class Config:
    patch: int = 80
    batch: int = 1
    channels: int = 4          # T1, T1ce, T2, FLAIR
    classes: int = 3
    base: int = 24
    levels: int = 4
    steps: int = 4
    volume: tuple = (128, 128, 112)
    overlap: float = 0.5
    sw_batch: int = 2
    amp: bool = True
    lr: float = 3e-4
    ckpt_first_level: bool = True


class ResBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.c1 = nn.Conv3d(cin, cout, 3, stride, 1, bias=False)
        self.n1 = nn.InstanceNorm3d(cout, affine=True)
        self.c2 = nn.Conv3d(cout, cout, 3, 1, 1, bias=False)
        self.n2 = nn.InstanceNorm3d(cout, affine=True)
        self.skip = nn.Conv3d(cin, cout, 1, stride) if (cin != cout or stride != 1) else nn.Identity()

    def forward(self, x):
        h = F.leaky_relu(self.n1(self.c1(x)), 0.01, inplace=True)
        h = self.n2(self.c2(h))
        return F.leaky_relu(h + self.skip(x), 0.01, inplace=True)


class UNet3D(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        w = [cfg.base * 2**i for i in range(cfg.levels)]
        self.cfg = cfg
        self.enc = nn.ModuleList([ResBlock(cfg.channels, w[0])] +
                                 [ResBlock(w[i], w[i + 1], 2) for i in range(cfg.levels - 1)])
        self.up = nn.ModuleList([nn.ConvTranspose3d(w[i + 1], w[i], 2, 2) for i in reversed(range(cfg.levels - 1))])
        self.dec = nn.ModuleList([ResBlock(2 * w[i], w[i]) for i in reversed(range(cfg.levels - 1))])
        self.heads = nn.ModuleList([nn.Conv3d(w[0], cfg.classes, 1), nn.Conv3d(w[1], cfg.classes, 1)])

    def forward(self, x):
        feats = []
        for i, e in enumerate(self.enc):
            if i == 0 and self.cfg.ckpt_first_level and self.training:
                x = checkpoint(e, x, use_reentrant=False)
            else:
                x = e(x)
            feats.append(x)
        feats.pop()
        outs = []
        for up, dec in zip(self.up, self.dec):
            x = dec(torch.cat([up(x), feats.pop()], 1))
            outs.append(x)
        main = self.heads[0](outs[-1])
        return (main, self.heads[1](outs[-2])) if self.training else main


def soft_dice(logits, y):
    p = torch.sigmoid(logits.float())
    dims = (0, 2, 3, 4)
    return 1 - (2 * (p * y).sum(dims) + 1e-5).div(p.sum(dims) + y.sum(dims) + 1e-5).mean()


@torch.no_grad()
def sliding_window(model, vol, cfg):
    P, stride = cfg.patch, int(cfg.patch * (1 - cfg.overlap))
    starts = [sorted(set(list(range(0, s - P, stride)) + [s - P])) for s in vol.shape[1:]]
    ax = torch.linspace(-1, 1, P, device=vol.device)
    g = torch.exp(-4 * ax**2)
    weight = g[:, None, None] * g[None, :, None] * g[None, None, :]
    out = torch.zeros(cfg.classes, *vol.shape[1:], device=vol.device)
    norm = torch.zeros(1, *vol.shape[1:], device=vol.device)
    coords = list(itertools.product(*starts))
    for i in range(0, len(coords), cfg.sw_batch):
        part = coords[i:i + cfg.sw_batch]
        x = torch.stack([vol[:, a:a + P, b:b + P, c:c + P] for a, b, c in part])
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=cfg.amp):
            pred = model(x)
        for (a, b, c), p in zip(part, pred.float().sigmoid()):
            out[:, a:a + P, b:b + P, c:c + P] += p * weight
            norm[:, a:a + P, b:b + P, c:c + P] += weight
    return out / norm


def main(cfg=Config()):
    torch.manual_seed(7)
    device = "cuda"
    vol = torch.randn(cfg.channels, *cfg.volume, device=device)
    seg = (F.avg_pool3d(vol[None, :3], 5, 1, 2)[0] > 0.05).float()
    model = UNet3D(cfg).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=cfg.steps, power=0.9)
    for step in range(cfg.steps):
        xs, ys = [], []
        for _ in range(cfg.batch):
            o = [int(torch.randint(0, s - cfg.patch + 1, (1,))) for s in cfg.volume]
            sl = (slice(None),) + tuple(slice(k, k + cfg.patch) for k in o)
            xs.append(vol[sl])
            ys.append(seg[sl])
        x, y = torch.stack(xs), torch.stack(ys)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=cfg.amp):
            main_out, deep = model(x)
            loss = soft_dice(main_out, y) + F.binary_cross_entropy_with_logits(main_out.float(), y)
            loss = loss + 0.5 * soft_dice(deep, F.max_pool3d(y, 2))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"step {step} loss {loss.item():.4f}")
    model.eval()
    prob = sliding_window(model, vol, cfg)
    dice = 1 - soft_dice(torch.logit(prob[None], 1e-4), seg[None])
    print(f"full-volume dice {dice.item():.3f}  peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
