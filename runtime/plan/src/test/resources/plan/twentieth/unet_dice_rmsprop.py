import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader, TensorDataset, random_split


class DoubleConv(nn.Module):
    """(convolution => [BN] => ReLU) * 2"""

    def __init__(self, in_channels, out_channels, mid_channels=None):
        super().__init__()
        mid_channels = mid_channels or out_channels
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, mid_channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(mid_channels), nn.ReLU(inplace=True),
            nn.Conv2d(mid_channels, out_channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels), nn.ReLU(inplace=True))

    def forward(self, x):
        return self.double_conv(x)


class Up(nn.Module):
    def __init__(self, in_channels, out_channels, bilinear):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            self.conv = DoubleConv(in_channels, out_channels, in_channels // 2)
        else:
            self.up = nn.ConvTranspose2d(in_channels, in_channels // 2, 2, stride=2)
            self.conv = DoubleConv(in_channels, out_channels)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        dy, dx = x2.size(2) - x1.size(2), x2.size(3) - x1.size(3)
        x1 = F.pad(x1, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([x2, x1], dim=1))


class UNet(nn.Module):
    def __init__(self, n_channels, n_classes, base=64, bilinear=False):
        super().__init__()
        f = 2 if bilinear else 1
        self.inc = DoubleConv(n_channels, base)
        self.downs = nn.ModuleList()
        c = base
        for i in range(4):
            out = c * 2 // (f if i == 3 else 1)
            self.downs.append(nn.Sequential(nn.MaxPool2d(2), DoubleConv(c, out)))
            c = c * 2
        self.ups = nn.ModuleList()
        for i in range(4):
            out = c // 2 // (f if i < 3 else 1)
            self.ups.append(Up(c, out, bilinear))
            c = c // 2
        self.outc = nn.Conv2d(base, n_classes, 1)

    def forward(self, x):
        skips = [self.inc(x)]
        for d in self.downs:
            skips.append(d(skips[-1]))
        x = skips.pop()
        for u in self.ups:
            x = u(x, skips.pop())
        return self.outc(x)


def dice_loss(logits, target, n_classes, eps=1e-6):
    p = F.softmax(logits, 1).float()
    t = F.one_hot(target, n_classes).permute(0, 3, 1, 2).float()
    inter = 2 * (p * t).sum((0, 2, 3))
    return 1 - ((inter + eps) / (p.sum((0, 2, 3)) + t.sum((0, 2, 3)) + eps)).mean()


def get_args():
    p = argparse.ArgumentParser(description="Train the UNet on images and target masks")
    p.add_argument("--epochs", "-e", type=int, default=2)
    p.add_argument("--batch-size", "-b", type=int, default=4)
    p.add_argument("--lr", type=float, default=1e-5)
    p.add_argument("--width", type=int, default=250)
    p.add_argument("--height", type=int, default=187)
    p.add_argument("--classes", type=int, default=3)
    p.add_argument("--bilinear", action="store_true")
    return p.parse_args()


if __name__ == "__main__":
    args = get_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    images = torch.rand(16, 3, args.height, args.width)
    masks = (images.mean(1) * args.classes).long().clamp(max=args.classes - 1)
    train_set, val_set = random_split(TensorDataset(images, masks), [12, 4],
                                      generator=torch.Generator().manual_seed(0))
    train_loader = DataLoader(train_set, shuffle=True, batch_size=args.batch_size)
    val_loader = DataLoader(val_set, batch_size=args.batch_size)

    model = UNet(3, args.classes, bilinear=args.bilinear).to(device)
    optimizer = optim.RMSprop(model.parameters(), lr=args.lr, weight_decay=1e-8, momentum=0.999, foreach=True)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=5)
    criterion = nn.CrossEntropyLoss()
    ckpt_dir = tempfile.mkdtemp()
    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for img, mask in train_loader:
            img, mask = img.to(device), mask.to(device)
            pred = model(img)
            loss = criterion(pred, mask) + dice_loss(pred, mask, args.classes)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            score = sum(1 - dice_loss(model(i.to(device)), m.to(device), args.classes) for i, m in val_loader)
            score = score / len(val_loader)
        scheduler.step(score)
        torch.save(model.state_dict(), os.path.join(ckpt_dir, f"checkpoint_epoch{epoch}.pth"))
        print(f"epoch {epoch}: loss {total / len(train_loader):.4f} val dice {score.item():.4f}")
    if device.type == "cuda":
        print(f"max memory {torch.cuda.max_memory_allocated() / 2**20:.1f} MiB")
