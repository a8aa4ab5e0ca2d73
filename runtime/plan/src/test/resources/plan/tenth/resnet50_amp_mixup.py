"""ResNet-50 from scratch, fp16 AMP + channels_last + mixup/cutmix. Synthetic ImageNet."""
import argparse
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, default_collate
from torchvision.models import resnet50
from torchvision.transforms import v2


class FakeImageNet(Dataset):
    def __init__(self, n, size, classes):
        self.n, self.size, self.classes = n, size, classes

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        img = torch.randint(0, 256, (3, self.size, self.size), generator=g, dtype=torch.uint8)
        img = img.float().div_(255).sub_(0.45).div_(0.225)
        return img, i % self.classes


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=96)
    p.add_argument("--image-size", type=int, default=224)
    p.add_argument("--num-classes", type=int, default=1000)
    p.add_argument("--steps", type=int, default=4)
    p.add_argument("--lr", type=float, default=0.5)
    p.add_argument("--wd", type=float, default=5e-5)
    p.add_argument("--label-smoothing", type=float, default=0.1)
    return p.parse_args()


def main():
    args = get_args()
    torch.manual_seed(0)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda")

    ds = FakeImageNet(args.batch_size * args.steps, args.image_size, args.num_classes)
    mix = v2.RandomChoice([
        v2.MixUp(num_classes=args.num_classes, alpha=0.2),
        v2.CutMix(num_classes=args.num_classes, alpha=1.0),
    ])
    loader = DataLoader(ds, batch_size=args.batch_size, shuffle=True, drop_last=True,
                        collate_fn=lambda b: mix(*default_collate(b)))

    model = resnet50(weights=None, num_classes=args.num_classes)
    model = model.to(device, memory_format=torch.channels_last)

    # no weight decay on bn + bias
    decay, no_decay = [], []
    for n, p in model.named_parameters():
        (no_decay if p.ndim == 1 else decay).append(p)
    opt = torch.optim.SGD(
        [{"params": decay, "weight_decay": args.wd}, {"params": no_decay, "weight_decay": 0.0}],
        lr=args.lr, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, total_steps=args.steps + 1)
    scaler = torch.amp.GradScaler("cuda")
    criterion = nn.CrossEntropyLoss(label_smoothing=args.label_smoothing)

    model.train()
    t0 = time.time()
    for step, (x, y) in enumerate(loader):
        x = x.to(device, memory_format=torch.channels_last)
        y = y.to(device)
        opt.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            out = model(x)
            loss = criterion(out, y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        sched.step()
        print(f"step {step} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.4f} "
              f"scale {scaler.get_scale():.0f} t {time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()
