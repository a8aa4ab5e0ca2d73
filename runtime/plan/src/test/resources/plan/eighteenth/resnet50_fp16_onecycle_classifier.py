"""ResNet-50 on a 60-class product photo set. fp16 AMP + channels_last + OneCycle.

I replaced my ImageFolder with random images so anybody can run it.
"""
import argparse
import os
import tempfile
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models import resnet50


class FakePhotos(Dataset):
    def __init__(self, n, size, classes, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, classes, (n,), generator=g)
        self.size = size
        self.seed = seed

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 100003 + i)
        img = torch.randint(0, 256, (3, self.size, self.size), dtype=torch.uint8, generator=g)
        return img, self.labels[i]


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=36)
    p.add_argument("--val-batch-size", type=int, default=72)
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--classes", type=int, default=60)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--steps-per-epoch", type=int, default=3)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--wd", type=float, default=5e-5)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def normalize(x):
    mean = torch.tensor([0.485, 0.456, 0.406], device=x.device).view(1, 3, 1, 1) * 255
    std = torch.tensor([0.229, 0.224, 0.225], device=x.device).view(1, 3, 1, 1) * 255
    return (x.float() - mean) / std


def split_decay(model, wd):
    decay, no_decay = [], []
    for p in model.parameters():
        (no_decay if p.ndim == 1 else decay).append(p)
    return [{"params": decay, "weight_decay": wd}, {"params": no_decay, "weight_decay": 0.0}]


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hit = total = 0
    for x, y in loader:
        x = normalize(x.to(device, non_blocking=True)).contiguous(memory_format=torch.channels_last)
        y = y.to(device, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(x)
        hit += (out.argmax(1) == y).sum().item()
        total += y.numel()
    return hit / total


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")

    model = resnet50(weights=None, num_classes=args.classes)
    model = model.to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(split_decay(model, args.wd), lr=args.lr, momentum=0.9, nesterov=True)
    total = args.epochs * args.steps_per_epoch
    sched = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=total, pct_start=0.3)
    scaler = torch.amp.GradScaler("cuda", init_scale=2.0 ** 12)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)

    train = DataLoader(FakePhotos(args.batch_size * args.steps_per_epoch, args.size, args.classes, 3),
                       batch_size=args.batch_size, shuffle=True, num_workers=2,
                       pin_memory=True, drop_last=True)
    val = DataLoader(FakePhotos(args.val_batch_size, args.size, args.classes, 4),
                     batch_size=args.val_batch_size, num_workers=0)

    best = -1.0
    with tempfile.TemporaryDirectory() as tmp:
        for epoch in range(args.epochs):
            model.train()
            t0 = time.time()
            for x, y in train:
                x = normalize(x.to(device, non_blocking=True)).contiguous(memory_format=torch.channels_last)
                y = y.to(device, non_blocking=True)
                optimizer.zero_grad(set_to_none=True)
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = criterion(model(x), y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                scaler.step(optimizer)
                scaler.update()
                sched.step()
            acc = evaluate(model, val, device)
            peak = torch.cuda.max_memory_allocated() / 2**20
            print(f"epoch {epoch} loss {loss.item():.3f} acc {acc:.3f} lr {sched.get_last_lr()[0]:.4f} "
                  f"peak {peak:.0f} MiB {time.time() - t0:.1f}s")
            if acc > best:
                best = acc
                torch.save({"model": model.state_dict(), "opt": optimizer.state_dict()},
                           os.path.join(tmp, "best.pt"))


if __name__ == "__main__":
    main()
