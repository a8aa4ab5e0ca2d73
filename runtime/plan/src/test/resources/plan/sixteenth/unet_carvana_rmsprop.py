"""U-Net for binary car masks: RMSprop + GradScaler + channels_last, dice validation."""
import argparse
import logging
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split


class DoubleConv(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class Up(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.up = nn.ConvTranspose2d(cin, cin // 2, 2, stride=2)
        self.conv = DoubleConv(cin, cout)

    def forward(self, x, skip):
        x = self.up(x)
        dy, dx = skip.size(2) - x.size(2), skip.size(3) - x.size(3)
        x = F.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([skip, x], dim=1))


class UNet(nn.Module):
    def __init__(self, n_channels=3, n_classes=1, base=64):
        super().__init__()
        c = [base * 2**i for i in range(5)]
        self.inc = DoubleConv(n_channels, c[0])
        self.downs = nn.ModuleList(nn.Sequential(nn.MaxPool2d(2), DoubleConv(c[i], c[i + 1])) for i in range(4))
        self.ups = nn.ModuleList(Up(c[i + 1], c[i]) for i in reversed(range(4)))
        self.outc = nn.Conv2d(c[0], n_classes, 1)

    def forward(self, x):
        xs = [self.inc(x)]
        for d in self.downs:
            xs.append(d(xs[-1]))
        x = xs.pop()
        for u in self.ups:
            x = u(x, xs.pop())
        return self.outc(x)


class Blobs(Dataset):
    def __init__(self, n, h, w):
        self.n, self.h, self.w = n, h, w

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        cy, cx = torch.rand(2, generator=g) * torch.tensor([self.h, self.w])
        yy, xx = torch.meshgrid(torch.arange(self.h), torch.arange(self.w), indexing="ij")
        mask = (((yy - cy) / 60) ** 2 + ((xx - cx) / 90) ** 2 < 1).float()
        return torch.rand(3, self.h, self.w, generator=g) * 0.5 + mask * 0.4, mask


def dice_coeff(p, t, eps=1e-6):
    inter = 2 * (p * t).sum((-1, -2))
    return ((inter + eps) / (p.sum((-1, -2)) + t.sum((-1, -2)) + eps)).mean()


@torch.inference_mode()
def evaluate(net, loader, device):
    net.eval()
    score = 0.0
    with torch.autocast("cuda"):
        for img, mask in loader:
            pred = net(img.to(device, memory_format=torch.channels_last)).squeeze(1)
            score += dice_coeff((torch.sigmoid(pred) > 0.5).float(), mask.to(device)).item()
    net.train()
    return score / len(loader)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--batch-size", type=int, default=3)
    ap.add_argument("--height", type=int, default=320)
    ap.add_argument("--width", type=int, default=479)
    ap.add_argument("--base", type=int, default=64)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    torch.manual_seed(0)
    device = torch.device("cuda")
    net = UNet(base=args.base).to(device, memory_format=torch.channels_last)
    train, val = random_split(Blobs(14, args.height, args.width), [10, 4], torch.Generator().manual_seed(0))
    train_loader = DataLoader(train, args.batch_size, shuffle=True)
    val_loader = DataLoader(val, args.batch_size, drop_last=True)
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-5, weight_decay=1e-8, momentum=0.999, foreach=True)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, "max", patience=5)
    scaler = torch.amp.GradScaler("cuda")
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        for img, mask in train_loader:
            img, mask = img.to(device, memory_format=torch.channels_last), mask.to(device)
            with torch.autocast("cuda"):
                pred = net(img).squeeze(1)
                loss = criterion(pred, mask) + 1 - dice_coeff(torch.sigmoid(pred), mask)
            opt.zero_grad(set_to_none=True)
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
        score = evaluate(net, val_loader, device)
        sched.step(score)
        logging.info("epoch %d loss %.4f dice %.4f", epoch, loss.item(), score)
        with tempfile.TemporaryDirectory() as d:
            torch.save(net.state_dict(), Path(d) / f"checkpoint_epoch{epoch}.pth")
    logging.info("peak %.2f GB", torch.cuda.max_memory_allocated() / 1e9)


if __name__ == "__main__":
    main()
