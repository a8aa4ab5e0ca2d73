import os
import tempfile
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    size: int = 288
    base: int = 48
    depth: int = 4
    batch: int = 6
    epochs: int = 2
    n_train: int = 18
    n_val: int = 8
    lr: float = 1e-4
    device: str = "cuda"


cfg = Config()


class DoubleConv(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv2d(cin, cout, 3, padding=1, bias=False),
            nn.BatchNorm2d(cout),
            nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1, bias=False),
            nn.BatchNorm2d(cout),
            nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    def __init__(self, cin=3, cout=1, base=32, depth=4):
        super().__init__()
        chans = [base * 2**i for i in range(depth + 1)]
        self.inc = DoubleConv(cin, chans[0])
        self.down = nn.ModuleList(DoubleConv(a, b) for a, b in zip(chans, chans[1:]))
        rev = chans[::-1]
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, stride=2) for a, b in zip(rev, rev[1:]))
        self.dec = nn.ModuleList(DoubleConv(2 * b, b) for b in rev[1:])
        self.out = nn.Conv2d(base, cout, 1)

    def forward(self, x):
        skips = [self.inc(x)]
        for d in self.down:
            skips.append(d(F.max_pool2d(skips[-1], 2)))
        x = skips.pop()
        for up, dec in zip(self.up, self.dec):
            x = dec(torch.cat([skips.pop(), up(x)], dim=1))
        return self.out(x)


def dice_loss(logits, target, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * target).sum((1, 2, 3))
    return 1 - ((2 * inter + eps) / (p.sum((1, 2, 3)) + target.sum((1, 2, 3)) + eps)).mean()


def fake_vessels(n, size, seed):
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    masks = torch.zeros(n, 1, size, size)
    for i in range(n):
        for _ in range(5):
            a, b, w = torch.rand(3, generator=g)
            curve = size * (0.2 + 0.6 * a) + 30 * torch.sin(xx / (10 + 30 * b))
            masks[i, 0] += ((yy - curve).abs() < 2 + 4 * w).float()
    masks.clamp_(0, 1)
    imgs = 0.5 * torch.rand(n, 3, size, size, generator=g) + 0.4 * masks
    return TensorDataset(imgs, masks)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    scores = []
    for x, m in loader:
        x, m = x.to(cfg.device), m.to(cfg.device)
        with torch.autocast(device_type=cfg.device, dtype=torch.float16):
            logits = model(x)
        scores.append(1 - dice_loss((logits > 0).float() * 40 - 20, m))
    model.train()
    return torch.stack(scores).mean().item()


def main():
    torch.manual_seed(42)
    model = UNet(base=cfg.base, depth=cfg.depth).to(cfg.device)
    opt = torch.optim.RMSprop(model.parameters(), lr=cfg.lr, weight_decay=1e-8, momentum=0.9, foreach=True)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, "max", patience=1)
    scaler = torch.amp.GradScaler(cfg.device)
    tr = DataLoader(fake_vessels(cfg.n_train, cfg.size, 0), cfg.batch, shuffle=True)
    va = DataLoader(fake_vessels(cfg.n_val, cfg.size, 1), cfg.batch)
    best = -1.0
    with tempfile.TemporaryDirectory() as ckdir:
        for ep in range(cfg.epochs):
            for x, m in tr:
                x, m = x.to(cfg.device), m.to(cfg.device)
                with torch.autocast(device_type=cfg.device, dtype=torch.float16):
                    logits = model(x)
                    loss = F.binary_cross_entropy_with_logits(logits, m) + dice_loss(logits.float(), m)
                opt.zero_grad(set_to_none=True)
                scaler.scale(loss).backward()
                scaler.unscale_(opt)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(opt)
                scaler.update()
            d = evaluate(model, va)
            sched.step(d)
            print(f"epoch {ep} loss {loss.item():.4f} dice {d:.4f} mem {torch.cuda.max_memory_allocated() >> 20} MiB")
            if d > best:
                best = d
                torch.save(model.state_dict(), os.path.join(ckdir, "best.pth"))
        model.load_state_dict(torch.load(os.path.join(ckdir, "best.pth"), map_location=cfg.device))
    print("final dice", evaluate(model, va))


main()
