"""Train a ResNet-50 classifier with mixed precision (fp16 + GradScaler), channels_last."""
import argparse
import time

import torch
import torch.nn as nn
import torchvision
from torch.utils.data import DataLoader, Dataset


class RandomImages(Dataset):
    def __init__(self, n, size, classes, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.seeds = torch.randint(0, 2**31 - 1, (n,), generator=g).tolist()
        self.labels = torch.randint(0, classes, (n,), generator=g)
        self.size = size

    def __len__(self):
        return len(self.seeds)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seeds[i])
        return torch.rand(3, self.size, self.size, generator=g), self.labels[i]


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=48)
    p.add_argument("--image-size", type=int, default=224)
    p.add_argument("--classes", type=int, default=200)
    p.add_argument("--steps", type=int, default=5)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--wd", type=float, default=1e-4)
    p.add_argument("--smoothing", type=float, default=0.1)
    return p.parse_args()


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    correct = total = 0
    for x, y in loader:
        x = x.to(device, non_blocking=True, memory_format=torch.channels_last)
        y = y.to(device, non_blocking=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(x)
        correct += (out.argmax(1) == y).sum().item()
        total += y.numel()
    return correct / total


def main():
    args = parse()
    torch.manual_seed(42)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")

    model = torchvision.models.resnet50(weights=None, num_classes=args.classes)
    model = model.to(device, memory_format=torch.channels_last)

    # no weight decay on BN and bias
    decay, no_decay = [], []
    for p in model.parameters():
        (no_decay if p.ndim <= 1 else decay).append(p)
    optimizer = torch.optim.SGD(
        [{"params": decay, "weight_decay": args.wd}, {"params": no_decay, "weight_decay": 0.0}],
        lr=args.lr, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.steps + 1)
    scaler = torch.amp.GradScaler("cuda")
    criterion = nn.CrossEntropyLoss(label_smoothing=args.smoothing)

    train = DataLoader(RandomImages(args.batch_size * args.steps, args.image_size, args.classes, 1),
                       batch_size=args.batch_size, shuffle=True, num_workers=2, pin_memory=True, drop_last=True)
    val = DataLoader(RandomImages(args.batch_size * 2, args.image_size, args.classes, 2),
                     batch_size=args.batch_size * 2, num_workers=0, pin_memory=True)

    model.train()
    t0 = time.time()
    for step, (x, y) in enumerate(train):
        x = x.to(device, non_blocking=True, memory_format=torch.channels_last)
        y = y.to(device, non_blocking=True)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(x)
            loss = criterion(out, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        print(f"step {step} loss {loss.item():.4f} scale {scaler.get_scale():.0f} "
              f"mem {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    acc = validate(model, val, device)
    print(f"val acc {acc:.3f}, time {time.time() - t0:.1f}s, "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
