import logging
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split

logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
HEIGHT, WIDTH = 320, 480
BATCH = 4


class DoubleConv(nn.Module):
    def __init__(self, in_ch, out_ch, mid_ch=None):
        super().__init__()
        mid_ch = mid_ch or out_ch
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_ch, mid_ch, 3, padding=1, bias=False), nn.BatchNorm2d(mid_ch), nn.ReLU(inplace=True),
            nn.Conv2d(mid_ch, out_ch, 3, padding=1, bias=False), nn.BatchNorm2d(out_ch), nn.ReLU(inplace=True),
        )

    def forward(self, x):
        return self.double_conv(x)


class Up(nn.Module):
    def __init__(self, in_ch, out_ch):
        super().__init__()
        self.up = nn.ConvTranspose2d(in_ch, in_ch // 2, 2, stride=2)
        self.conv = DoubleConv(in_ch, out_ch)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        dy, dx = x2.size(2) - x1.size(2), x2.size(3) - x1.size(3)
        x1 = F.pad(x1, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([x2, x1], dim=1))


class UNet(nn.Module):
    def __init__(self, n_channels=3, n_classes=2, base=64):
        super().__init__()
        widths = [base * 2 ** i for i in range(5)]
        self.inc = DoubleConv(n_channels, widths[0])
        self.downs = nn.ModuleList([nn.Sequential(nn.MaxPool2d(2), DoubleConv(a, b)) for a, b in zip(widths, widths[1:])])
        self.ups = nn.ModuleList([Up(b, a) for a, b in zip(widths[::-1][1:], widths[::-1])])
        self.outc = nn.Conv2d(base, n_classes, 1)

    def forward(self, x):
        skips = [self.inc(x)]
        for d in self.downs:
            skips.append(d(skips[-1]))
        x = skips.pop()
        for u in self.ups:
            x = u(x, skips.pop())
        return self.outc(x)


class CarsDataset(Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, idx):
        g = torch.Generator().manual_seed(idx)
        img = torch.rand(3, HEIGHT, WIDTH, generator=g)
        cy, cx, r = HEIGHT // 2, WIDTH // 2, HEIGHT // 4 + idx
        yy, xx = torch.meshgrid(torch.arange(HEIGHT), torch.arange(WIDTH), indexing="ij")
        mask = ((yy - cy) ** 2 + (xx - cx) ** 2 < r * r).long()
        return {"image": img + 0.3 * mask, "mask": mask}


def dice_loss(probs, onehot, eps=1e-6):
    inter = 2 * (probs * onehot).sum(dim=(-1, -2))
    union = probs.sum(dim=(-1, -2)) + onehot.sum(dim=(-1, -2))
    return 1 - ((inter + eps) / (union + eps)).mean()


@torch.inference_mode()
def evaluate(net, loader, device):
    net.eval()
    score = 0.0
    for batch in loader:
        image, mask = batch["image"].to(device), batch["mask"].to(device)
        with torch.autocast("cuda", dtype=torch.float16):
            pred = net(image)
        pred = F.one_hot(pred.argmax(1), 2).permute(0, 3, 1, 2).float()
        true = F.one_hot(mask, 2).permute(0, 3, 1, 2).float()
        score += 1 - dice_loss(pred[:, 1:], true[:, 1:]).item()
    net.train()
    return score / len(loader)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    net = UNet().to(device)
    train_set, val_set = random_split(CarsDataset(), [20, 4], generator=torch.Generator().manual_seed(0))
    train_loader = DataLoader(train_set, shuffle=True, batch_size=BATCH)
    val_loader = DataLoader(val_set, batch_size=BATCH, drop_last=True)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-5, weight_decay=1e-8, momentum=0.999, foreach=True)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", patience=5)
    scaler = torch.amp.GradScaler("cuda")
    criterion = nn.CrossEntropyLoss()

    for step, batch in enumerate(train_loader):
        images = batch["image"].to(device=device, dtype=torch.float32)
        true_masks = batch["mask"].to(device=device, dtype=torch.long)
        with torch.autocast("cuda", dtype=torch.float16):
            masks_pred = net(images)
            loss = criterion(masks_pred, true_masks)
            loss += dice_loss(F.softmax(masks_pred, dim=1).float(), F.one_hot(true_masks, 2).permute(0, 3, 1, 2).float())
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        logging.info("step %d loss %.4f", step, loss.item())
    score = evaluate(net, val_loader, device)
    scheduler.step(score)
    logging.info("validation dice %.4f, peak MiB %d", score, torch.cuda.max_memory_allocated() // 2**20)
    with tempfile.TemporaryDirectory() as d:
        torch.save(net.state_dict(), Path(d) / "checkpoint_epoch1.pth")


if __name__ == "__main__":
    main()
