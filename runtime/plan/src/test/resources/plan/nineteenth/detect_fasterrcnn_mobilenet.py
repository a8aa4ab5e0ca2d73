"""Faster R-CNN (MobileNetV3-Large FPN) on fake boxes; images differ in size like in COCO."""
import random

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_fpn
from torchvision.ops import box_iou

device = torch.device("cuda")
NUM_CLASSES = 12
BATCH = 6
SIZES = [(400, 600), (480, 640), (512, 512), (600, 450), (640, 640)]
MIN_SIZE, MAX_SIZE = 640, 960
N_TRAIN, N_TEST = 30, 8


class BoxesDataset(Dataset):
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.items = []
        for i in range(n):
            h, w = rng.choice(SIZES)
            boxes, labels = [], []
            for _ in range(rng.randint(1, 9)):
                bw, bh = rng.randint(24, w // 2), rng.randint(24, h // 2)
                x0, y0 = rng.randint(0, w - bw - 1), rng.randint(0, h - bh - 1)
                boxes.append([x0, y0, x0 + bw, y0 + bh])
                labels.append(rng.randint(1, NUM_CLASSES - 1))
            self.items.append((h, w, boxes, labels))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        h, w, boxes, labels = self.items[i]
        img = torch.rand(3, h, w, generator=torch.Generator().manual_seed(i)) * 0.2
        for (x0, y0, x1, y1), c in zip(boxes, labels):
            img[c % 3, y0:y1, x0:x1] += 0.05 * c
        target = {
            "boxes": torch.tensor(boxes, dtype=torch.float32),
            "labels": torch.tensor(labels, dtype=torch.int64),
            "image_id": i,
        }
        return img.clamp_(0, 1), target


def collate(batch):
    return tuple(zip(*batch))


def to_device(images, targets):
    images = [im.to(device) for im in images]
    targets = [{k: v.to(device) if torch.is_tensor(v) else v for k, v in t.items()} for t in targets]
    return images, targets


def evaluate(model, loader):
    model.eval()
    recalls = []
    with torch.no_grad():
        for images, targets in loader:
            images, targets = to_device(images, targets)
            for out, t in zip(model(images), targets):
                if len(out["boxes"]) == 0:
                    recalls.append(0.0)
                    continue
                iou = box_iou(t["boxes"], out["boxes"])
                recalls.append((iou.max(1).values > 0.5).float().mean().item())
    return sum(recalls) / len(recalls)


def main():
    torch.manual_seed(0)
    model = fasterrcnn_mobilenet_v3_large_fpn(
        weights=None,
        weights_backbone=None,
        num_classes=NUM_CLASSES,
        min_size=MIN_SIZE,
        max_size=MAX_SIZE,
        rpn_post_nms_top_n_train=1000,
        trainable_backbone_layers=6,
    )
    model.to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    print("trainable:", sum(p.numel() for p in params))
    optimizer = torch.optim.SGD(params, lr=0.005, momentum=0.9, weight_decay=5e-4)
    warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.01, total_iters=4)

    train_loader = DataLoader(BoxesDataset(N_TRAIN, 1), batch_size=BATCH, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(BoxesDataset(N_TEST, 2), batch_size=2, collate_fn=collate)

    model.train()
    for it, (images, targets) in enumerate(train_loader):
        images, targets = to_device(images, targets)
        losses = model(images, targets)
        loss = sum(losses.values())
        if not torch.isfinite(loss):
            print("loss is", loss.item(), "- skipping")
            optimizer.zero_grad()
            continue
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_value_(params, 1.0)
        optimizer.step()
        warmup.step()
        detail = " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in losses.items())
        print(f"iter {it} total={loss.item():.3f} {detail}")

    print("recall@0.5:", evaluate(model, test_loader))
    print(f"peak mem: {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
