"""Small ConvNeXt training run on fake images: mixup, label smoothing, weight EMA, channels_last, bf16."""
import copy
import math
import os
import tempfile
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from torchvision.models import convnext_tiny

BATCH = 56
IMG = 176
CLASSES = 200
STEPS = 6
LR = 4e-4
WD = 0.05
DEVICE = "cuda"


class FakeImages(Dataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 100003 + i)
        y = int(torch.randint(0, CLASSES, (1,), generator=g))
        img = torch.rand(3, IMG, IMG, generator=g) * 0.5 + y / CLASSES * 0.5
        return img.sub(0.45).div(0.225), y


class Ema:
    def __init__(self, model, decay=0.999):
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e.lerp_(p, 1.0 - self.decay)
            else:
                e.copy_(p)


def mixup(x, y, alpha=0.2):
    lam = float(torch.distributions.Beta(alpha, alpha).sample())
    perm = torch.randperm(x.size(0), device=x.device)
    return lam * x + (1 - lam) * x[perm], y, y[perm], lam


def lr_at(step, total, warmup=2):
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    hit = tot = 0
    for x, y in loader:
        x = x.to(DEVICE, memory_format=torch.channels_last)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            pred = model(x).argmax(1)
        hit += (pred.cpu() == y).sum().item()
        tot += y.numel()
    return hit / tot


def main():
    torch.manual_seed(17)
    model = convnext_tiny(weights=None, num_classes=CLASSES, stochastic_depth_prob=0.1)
    model = model.to(DEVICE, memory_format=torch.channels_last)
    ema = Ema(model)

    decay, no_decay = [], []
    for name, p in model.named_parameters():
        (no_decay if p.ndim <= 1 or "layer_scale" in name else decay).append(p)
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": WD}, {"params": no_decay, "weight_decay": 0.0}], lr=LR)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: lr_at(s, STEPS))
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)

    train = DataLoader(FakeImages(BATCH * STEPS, 1), batch_size=BATCH, shuffle=True, drop_last=True)
    val = DataLoader(FakeImages(2 * BATCH, 2), batch_size=BATCH)

    model.train()
    t0 = time.time()
    for step, (x, y) in enumerate(train):
        x = x.to(DEVICE, memory_format=torch.channels_last, non_blocking=True)
        y = y.to(DEVICE, non_blocking=True)
        x, ya, yb, lam = mixup(x, y)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(x)
            loss = lam * crit(out, ya) + (1 - lam) * crit(out, yb)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        gn = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        sched.step()
        ema.update(model)
        print(f"step {step} loss {loss.item():.4f} gnorm {gn.item():.2f} lr {sched.get_last_lr()[0]:.2e} "
              f"mem {torch.cuda.max_memory_allocated() / 2**20:.0f}MiB")
    print(f"train time {time.time() - t0:.1f}s")
    print("ema acc", evaluate(ema.module, val))
    with tempfile.TemporaryDirectory() as d:
        torch.save({"model": model.state_dict(), "ema": ema.module.state_dict(), "opt": opt.state_dict()},
                   os.path.join(d, "last.pt"))


if __name__ == "__main__":
    main()
