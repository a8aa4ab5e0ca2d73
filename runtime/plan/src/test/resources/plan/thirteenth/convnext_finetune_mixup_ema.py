"""Fine-tune a ConvNeXt on a small plant-disease style problem.

Recipe borrowed from the timm training script: mixup + cutmix, soft targets,
layer-wise learning-rate decay, model EMA, bf16 autocast, channels_last.
"""
import math
import time

import torch
import torch.nn as nn
import timm
from timm.data import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.utils import ModelEmaV3, AverageMeter
from torch.utils.data import Dataset, DataLoader

SEED = 2024
ARCH = "convnext_tiny"
CLASSES = 38
IMG = 224
BATCH = 32
STEPS = 6
BASE_LR = 3e-4
DECAY = 0.75


class LeafImages(Dataset):
    """Stands in for the real image folder: coloured blobs with a class dependent tint."""

    def __init__(self, n, size, classes, seed):
        self.n, self.size, self.classes, self.seed = n, size, classes, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed + i)
        y = int(torch.randint(0, self.classes, (1,), generator=g))
        x = torch.randn(3, self.size, self.size, generator=g) * 0.5
        x[y % 3] += math.sin(y)
        return x, y


def param_groups_layer_decay(model, lr, decay, wd=0.05):
    n_stage = 4
    groups = {}
    for name, p in model.named_parameters():
        if name.startswith("stem"):
            depth = 0
        elif name.startswith("stages."):
            depth = int(name.split(".")[1]) + 1
        else:
            depth = n_stage + 1
        no_wd = p.ndim <= 1
        key = (depth, no_wd)
        if key not in groups:
            groups[key] = {
                "params": [],
                "lr": lr * decay ** (n_stage + 1 - depth),
                "weight_decay": 0.0 if no_wd else wd,
            }
        groups[key]["params"].append(p)
    return list(groups.values())


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    hit = n = 0
    for x, y in loader:
        x = x.to(device, memory_format=torch.channels_last)
        y = y.to(device)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            pred = model(x).argmax(1)
        hit += (pred == y).sum().item()
        n += y.numel()
    return hit / n


def main():
    torch.manual_seed(SEED)
    device = torch.device("cuda")
    model = timm.create_model(ARCH, pretrained=False, num_classes=CLASSES, drop_path_rate=0.1)
    model = model.to(device, memory_format=torch.channels_last)
    ema = ModelEmaV3(model, decay=0.995)
    opt = torch.optim.AdamW(param_groups_layer_decay(model, BASE_LR, DECAY))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=STEPS)
    mixup = Mixup(mixup_alpha=0.8, cutmix_alpha=1.0, label_smoothing=0.1, num_classes=CLASSES)
    criterion = SoftTargetCrossEntropy()

    train = DataLoader(LeafImages(BATCH * STEPS, IMG, CLASSES, 0), BATCH, shuffle=True, drop_last=True)
    val = DataLoader(LeafImages(BATCH * 2, IMG, CLASSES, 10_000), BATCH * 2)

    meter = AverageMeter()
    t0 = time.time()
    model.train()
    for step, (x, y) in enumerate(train):
        x = x.to(device, memory_format=torch.channels_last)
        y = y.to(device)
        x, target = mixup(x, y)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = criterion(model(x), target)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        ema.update(model, step=step)
        meter.update(loss.item(), x.size(0))
        print(f"step {step} loss {meter.val:.4f} ({meter.avg:.4f}) lr {sched.get_last_lr()[-1]:.2e}")

    print(f"acc {validate(model, val, device):.3f}  ema acc {validate(ema.module, val, device):.3f}")
    print(f"{time.time() - t0:.1f}s, peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
