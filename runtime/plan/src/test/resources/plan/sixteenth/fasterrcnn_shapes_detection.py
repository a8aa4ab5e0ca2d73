"""Torchvision detection fine-tuning tutorial style, boxes drawn at random."""
import math
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_fpn
from torchvision.ops import box_iou


class ShapesDataset(Dataset):
    """Bright rectangles over noise; image sizes differ from one item to the next."""

    def __init__(self, length, seed=0, num_classes=4):
        self.length, self.seed, self.num_classes = length, seed, num_classes

    def __len__(self):
        return self.length

    def __getitem__(self, idx):
        g = torch.Generator().manual_seed(self.seed * 1000 + idx)
        h = int(torch.randint(360, 520, (1,), generator=g))
        w = int(torch.randint(420, 680, (1,), generator=g))
        img = torch.rand(3, h, w, generator=g) * 0.3
        n = int(torch.randint(2, 12, (1,), generator=g))
        boxes, labels = [], []
        for _ in range(n):
            bw, bh = (torch.randint(24, 140, (2,), generator=g)).tolist()
            x0 = int(torch.randint(0, w - bw, (1,), generator=g))
            y0 = int(torch.randint(0, h - bh, (1,), generator=g))
            c = int(torch.randint(1, self.num_classes, (1,), generator=g))
            img[c - 1, y0:y0 + bh, x0:x0 + bw] += 0.6
            boxes.append([x0, y0, x0 + bw, y0 + bh])
            labels.append(c)
        target = {"boxes": torch.tensor(boxes, dtype=torch.float32), "labels": torch.tensor(labels),
                  "image_id": torch.tensor([idx])}
        return img, target


def collate_fn(batch):
    return tuple(zip(*batch))


def train_one_epoch(model, optimizer, loader, device, epoch):
    model.train()
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=1e-3, total_iters=len(loader))
    for i, (images, targets) in enumerate(loader):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        loss_dict = model(images, targets)
        losses = sum(loss_dict.values())
        value = losses.item()
        if not math.isfinite(value):
            print("Loss is", value, "stopping")
            sys.exit(1)
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        if epoch == 0:
            warmup.step()
        parts = " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in loss_dict.items())
        print(f"epoch {epoch} [{i}] {value:.3f} {parts}")


@torch.inference_mode()
def evaluate(model, loader, device):
    model.eval()
    recall = []
    for images, targets in loader:
        out = model([im.to(device) for im in images])
        for o, t in zip(out, targets):
            if len(o["boxes"]) == 0:
                recall.append(0.0)
                continue
            iou = box_iou(t["boxes"], o["boxes"].cpu())
            recall.append((iou.max(1).values > 0.5).float().mean().item())
    return sum(recall) / len(recall)


def main():
    torch.manual_seed(3)
    device = torch.device("cuda")
    model = fasterrcnn_mobilenet_v3_large_fpn(weights=None, weights_backbone=None, num_classes=4)
    model.to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.005, momentum=0.9, weight_decay=0.0005)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
    train = DataLoader(ShapesDataset(12), batch_size=4, shuffle=True, collate_fn=collate_fn)
    val = DataLoader(ShapesDataset(4, seed=5), batch_size=2, collate_fn=collate_fn)
    t0 = time.time()
    for epoch in range(2):
        train_one_epoch(model, optimizer, train, device, epoch)
        lr_scheduler.step()
        print(f"recall@0.5 {evaluate(model, val, device):.3f}  "
              f"mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MB  {time.time() - t0:.1f}s")


if __name__ == "__main__":
    main()
