"""ImageNet-style training of ResNet-50 with mixed precision (synthetic images)."""
import argparse
import os
import tempfile
import time

import torch
import torch.nn as nn
import torch.backends.cudnn as cudnn
import torchvision.models as models
from torch.utils.data import DataLoader, Dataset


class FakeImageNet(Dataset):
    def __init__(self, n, size, classes):
        self.n, self.size, self.classes = n, size, classes

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        img = torch.randint(0, 256, (3, self.size, self.size), generator=g, dtype=torch.uint8)
        return img, int(torch.randint(0, self.classes, (1,), generator=g))


class DataPrefetcher:
    """Copies the next batch on a side stream while the current one is used."""

    def __init__(self, loader, device):
        self.loader = iter(loader)
        self.device = device
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([123.675, 116.28, 103.53], device=device).view(1, 3, 1, 1)
        self.std = torch.tensor([58.395, 57.12, 57.375], device=device).view(1, 3, 1, 1)
        self.preload()

    def preload(self):
        try:
            self.next_x, self.next_y = next(self.loader)
        except StopIteration:
            self.next_x = self.next_y = None
            return
        with torch.cuda.stream(self.stream):
            self.next_x = self.next_x.to(self.device, non_blocking=True)
            self.next_y = self.next_y.to(self.device, non_blocking=True)
            self.next_x = self.next_x.float().sub_(self.mean).div_(self.std)
            self.next_x = self.next_x.contiguous(memory_format=torch.channels_last)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        x, y = self.next_x, self.next_y
        if x is not None:
            x.record_stream(torch.cuda.current_stream())
            y.record_stream(torch.cuda.current_stream())
        self.preload()
        return x, y


def accuracy(out, target, topk=(1, 5)):
    with torch.no_grad():
        _, pred = out.topk(max(topk), 1)
        correct = pred.eq(target.view(-1, 1))
        return [correct[:, :k].any(1).float().mean().item() * 100 for k in topk]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--arch", default="resnet50")
    p.add_argument("--batch-size", type=int, default=48)
    p.add_argument("--size", type=int, default=224)
    p.add_argument("--iters", type=int, default=6)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--workers", type=int, default=2)
    args = p.parse_args()

    torch.manual_seed(0)
    cudnn.benchmark = True
    device = torch.device("cuda")
    model = models.__dict__[args.arch]().to(device, memory_format=torch.channels_last)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4, nesterov=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.iters)
    scaler = torch.amp.GradScaler("cuda")

    data = FakeImageNet(args.batch_size * args.iters, args.size, 1000)
    loader = DataLoader(data, args.batch_size, shuffle=True, num_workers=args.workers, pin_memory=True, drop_last=True)
    val = DataLoader(FakeImageNet(args.batch_size, args.size, 1000), args.batch_size)

    model.train()
    pre = DataPrefetcher(loader, device)
    x, y = pre.next()
    step, t0 = 0, time.time()
    while x is not None:
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(x)
            loss = criterion(out, y)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()
        a1, a5 = accuracy(out.float(), y)
        print(f"[{step}] loss {loss.item():.3f} acc1 {a1:.1f} acc5 {a5:.1f} {time.time() - t0:.2f}s")
        x, y = pre.next()
        step += 1

    model.eval()
    with torch.no_grad():
        for x, y in val:
            x = x.to(device).float().div_(255).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cuda", dtype=torch.float16):
                out = model(x)
            print("val acc1 %.2f" % accuracy(out.float(), y.to(device))[0])
    with tempfile.TemporaryDirectory() as d:
        torch.save({"model": model.state_dict(), "opt": optimizer.state_dict()}, os.path.join(d, "checkpoint.pth.tar"))
    print("max mem MB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
