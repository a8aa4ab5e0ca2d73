"""Train a ResNet-50 from scratch (bf16 autocast, channels_last, cosine schedule).

I want to know which batch size fits on my card, so data is random noise here.
"""
import argparse
import math
import os
import tempfile
import time

import torch
import torch.nn as nn
import torchvision
from torch.utils.data import DataLoader, Dataset


class FakeImageNet(Dataset):
    def __init__(self, n, size, num_classes):
        self.n, self.size, self.num_classes = n, size, num_classes

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        img = torch.randn(3, self.size, self.size, generator=g)
        return img, int(torch.randint(self.num_classes, (1,), generator=g))


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=40)
    p.add_argument("--image-size", type=int, default=224)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--train-images", type=int, default=120)
    p.add_argument("--val-images", type=int, default=80)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--wd", type=float, default=5e-5)
    p.add_argument("--label-smoothing", type=float, default=0.1)
    return p.parse_args()


def split_decay(model, wd):
    decay, no_decay = [], []
    for p in model.parameters():
        (no_decay if p.ndim == 1 else decay).append(p)
    return [{"params": decay, "weight_decay": wd}, {"params": no_decay, "weight_decay": 0.0}]


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    correct1 = correct5 = total = 0
    for x, y in loader:
        x = x.to(device, non_blocking=True, memory_format=torch.channels_last)
        y = y.to(device, non_blocking=True)
        with torch.autocast(device, dtype=torch.bfloat16):
            out = model(x)
        top = out.float().topk(5, dim=1).indices
        correct1 += (top[:, 0] == y).sum().item()
        correct5 += (top == y[:, None]).any(1).sum().item()
        total += y.numel()
    return correct1 / total, correct5 / total


def main():
    args = get_args()
    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    device = "cuda"

    model = torchvision.models.resnet50(weights=None, num_classes=1000, zero_init_residual=True)
    model = model.to(device, memory_format=torch.channels_last)
    opt = torch.optim.SGD(split_decay(model, args.wd), lr=args.lr, momentum=0.9, nesterov=True)
    crit = nn.CrossEntropyLoss(label_smoothing=args.label_smoothing)

    train = DataLoader(FakeImageNet(args.train_images, args.image_size, 1000), batch_size=args.batch_size,
                       shuffle=True, num_workers=2, pin_memory=True, drop_last=True)
    val = DataLoader(FakeImageNet(args.val_images, args.image_size, 1000), batch_size=64, pin_memory=True)
    total = args.epochs * len(train)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.5 * (1 + math.cos(math.pi * s / total)))

    with tempfile.TemporaryDirectory() as tmp:
        for epoch in range(args.epochs):
            model.train()
            t0 = time.time()
            for x, y in train:
                x = x.to(device, non_blocking=True, memory_format=torch.channels_last)
                y = y.to(device, non_blocking=True)
                with torch.autocast(device, dtype=torch.bfloat16):
                    loss = crit(model(x), y)
                opt.zero_grad(set_to_none=True)
                loss.backward()
                opt.step()
                sched.step()
            acc1, acc5 = validate(model, val, device)
            torch.save({"model": model.state_dict(), "opt": opt.state_dict()}, os.path.join(tmp, "last.pt"))
            print(f"epoch {epoch} loss {loss.item():.3f} acc1 {acc1:.3f} acc5 {acc5:.3f} "
                  f"{time.time() - t0:.1f}s peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
