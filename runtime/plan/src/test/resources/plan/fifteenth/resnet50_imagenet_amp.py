"""ImageNet style ResNet-50 training with AMP, channels_last and cosine schedule (fake data)."""
import argparse
import os
import tempfile
import time

import torch
import torch.nn as nn
import torchvision
from torch.utils.data import DataLoader, Dataset


class FakeImageNet(Dataset):
    def __init__(self, length, size, num_classes, seed=0):
        self.length, self.size, self.num_classes, self.seed = length, size, num_classes, seed

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 100003 + i)
        img = torch.randn(3, self.size, self.size, generator=g)
        return img, int(torch.randint(self.num_classes, (1,), generator=g))


class AverageMeter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def update(self, v, n=1):
        self.sum += v * n
        self.n += n

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


def accuracy(output, target, topk=(1, 5)):
    _, pred = output.topk(max(topk), 1)
    correct = pred.eq(target[:, None])
    return [correct[:, :k].any(1).float().mean().item() * 100 for k in topk]


def train_one_epoch(model, loader, criterion, optimizer, scaler, scheduler, device, epoch):
    model.train()
    losses = AverageMeter()
    for i, (images, target) in enumerate(loader):
        images = images.to(device, non_blocking=True, memory_format=torch.channels_last)
        target = target.to(device, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            output = model(images)
            loss = criterion(output, target)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        losses.update(loss.item(), images.size(0))
    print(f"epoch {epoch} train loss {losses.avg:.4f} lr {scheduler.get_last_lr()[0]:.4f}")


@torch.no_grad()
def validate(model, loader, criterion, device):
    model.eval()
    losses, top1, top5 = AverageMeter(), AverageMeter(), AverageMeter()
    for images, target in loader:
        images = images.to(device, memory_format=torch.channels_last)
        target = target.to(device)
        with torch.autocast("cuda", dtype=torch.float16):
            output = model(images)
            loss = criterion(output, target)
        a1, a5 = accuracy(output, target)
        losses.update(loss.item(), len(images))
        top1.update(a1, len(images))
        top5.update(a5, len(images))
    print(f"val loss {losses.avg:.4f} acc@1 {top1.avg:.2f} acc@5 {top5.avg:.2f}")
    return top1.avg


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--batch-size", type=int, default=40)
    p.add_argument("--image-size", type=int, default=224)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--train-len", type=int, default=120)
    p.add_argument("--lr", type=float, default=0.1)
    args = p.parse_args()

    torch.manual_seed(42)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")

    model = torchvision.models.get_model(args.arch, weights=None, num_classes=1000)
    model = model.to(device, memory_format=torch.channels_last)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4, nesterov=True)
    train_loader = DataLoader(FakeImageNet(args.train_len, args.image_size, 1000), args.batch_size, shuffle=True,
                              num_workers=2, pin_memory=True)
    val_loader = DataLoader(FakeImageNet(80, args.image_size, 1000, seed=1), args.batch_size * 2)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs * len(train_loader))
    scaler = torch.amp.GradScaler("cuda")

    best = -1.0
    with tempfile.TemporaryDirectory() as ckpt_dir:
        for epoch in range(args.epochs):
            t0 = time.time()
            train_one_epoch(model, train_loader, criterion, optimizer, scaler, scheduler, device, epoch)
            acc = validate(model, val_loader, criterion, device)
            if acc > best:
                best = acc
                torch.save({"model": model.state_dict(), "optim": optimizer.state_dict(), "epoch": epoch},
                           os.path.join(ckpt_dir, "best.pt"))
            print(f"  {time.time() - t0:.1f}s  peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
