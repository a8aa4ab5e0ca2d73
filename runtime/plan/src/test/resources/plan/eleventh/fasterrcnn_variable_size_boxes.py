# Faster R-CNN on random rectangles. Images come in different sizes, number of boxes differs per image.
import argparse
import random

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_resnet50_fpn


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=3)
    p.add_argument("--min-size", type=int, default=448)
    p.add_argument("--max-size", type=int, default=640)
    p.add_argument("--classes", type=int, default=12)
    p.add_argument("--iters", type=int, default=5)
    p.add_argument("--lr", type=float, default=0.005)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


class RectDataset(Dataset):
    def __init__(self, n, classes, seed):
        self.rng = random.Random(seed)
        self.classes = classes
        self.items = []
        for _ in range(n):
            h = self.rng.randrange(360, 600, 8)
            w = self.rng.randrange(400, 720, 8)
            k = self.rng.randint(1, 9)
            boxes, labels = [], []
            for _ in range(k):
                bw, bh = self.rng.randint(24, w // 2), self.rng.randint(24, h // 2)
                x0, y0 = self.rng.randint(0, w - bw - 1), self.rng.randint(0, h - bh - 1)
                boxes.append([x0, y0, x0 + bw, y0 + bh])
                labels.append(self.rng.randint(1, classes - 1))
            self.items.append((h, w, boxes, labels))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        h, w, boxes, labels = self.items[i]
        img = torch.rand(3, h, w, generator=torch.Generator().manual_seed(i)) * 0.3
        for (x0, y0, x1, y1), c in zip(boxes, labels):
            img[c % 3, y0:y1, x0:x1] += 0.05 * c
        return img, {"boxes": torch.tensor(boxes, dtype=torch.float32), "labels": torch.tensor(labels)}


def collate(batch):
    return tuple(zip(*batch))


def main():
    args = get_args()
    torch.manual_seed(args.seed)
    device = torch.device("cuda")

    model = fasterrcnn_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=args.classes,
        min_size=args.min_size, max_size=args.max_size, trainable_backbone_layers=5,
        rpn_batch_size_per_image=128, box_batch_size_per_image=256,
    ).to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=args.lr, momentum=0.9, weight_decay=5e-4, nesterov=True)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.01, total_iters=args.iters)

    ds = RectDataset(args.batch_size * args.iters, args.classes, args.seed)
    loader = DataLoader(ds, batch_size=args.batch_size, shuffle=False, collate_fn=collate)

    model.train()
    for it, (images, targets) in enumerate(loader):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        losses = model(images, targets)
        total = sum(losses.values())
        optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(params, 10.0)
        optimizer.step()
        scheduler.step()
        parts = " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in losses.items())
        print(f"[{it}] total={total.item():.3f} {parts}")

    print("train peak GB: %.2f" % (torch.cuda.max_memory_allocated() / 1e9))

    model.eval()
    with torch.no_grad():
        n = 0
        for i in range(2):
            det = model([ds[i][0].to(device)])[0]
            n += (det["scores"] > 0.3).sum().item()
    print("confident detections on two images:", n)


if __name__ == "__main__":
    main()
