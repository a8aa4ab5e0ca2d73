"""Kaggle wheat-head detection baseline: Faster R-CNN R50-FPN, SGD, linear warm-up."""
import random

import torch
from torch.utils.data import Dataset, DataLoader
from torchvision.models.detection import fasterrcnn_resnet50_fpn
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor


class CFG:
    seed = 42
    img_size = 640
    batch_size = 2
    train_images = 10
    valid_images = 4
    lr = 0.005
    momentum = 0.9
    weight_decay = 5e-4
    warmup = 3


class WheatDataset(Dataset):
    def __init__(self, n, train=True):
        self.n = n
        self.train = train

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        rng = random.Random(idx + (0 if self.train else 999))
        g = torch.Generator().manual_seed(idx)
        s = CFG.img_size
        image = torch.rand(3, s, s, generator=g) * 0.4
        boxes = []
        for _ in range(rng.randint(8, 30)):
            w, h = rng.randint(24, 110), rng.randint(24, 110)
            x, y = rng.randint(0, s - w - 1), rng.randint(0, s - h - 1)
            boxes.append([x, y, x + w, y + h])
            image[1, y : y + h, x : x + w] += 0.5
        if self.train and rng.random() < 0.5:
            image = image.flip(-1)
            boxes = [[s - b[2], b[1], s - b[0], b[3]] for b in boxes]
        target = {
            "boxes": torch.tensor(boxes, dtype=torch.float32),
            "labels": torch.ones(len(boxes), dtype=torch.int64),
            "image_id": torch.tensor([idx]),
        }
        return image.clamp_(0, 1), target


def collate_fn(batch):
    return tuple(zip(*batch))


def build_model(num_classes=2):
    model = fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None, min_size=640, max_size=800)
    in_features = model.roi_heads.box_predictor.cls_score.in_features
    model.roi_heads.box_predictor = FastRCNNPredictor(in_features, num_classes)
    return model


class Averager:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def send(self, v):
        self.total += v
        self.count += 1

    @property
    def value(self):
        return self.total / max(1, self.count)


def main():
    torch.manual_seed(CFG.seed)
    random.seed(CFG.seed)
    device = torch.device("cuda")

    train_loader = DataLoader(WheatDataset(CFG.train_images), CFG.batch_size, shuffle=True, collate_fn=collate_fn)
    valid_loader = DataLoader(WheatDataset(CFG.valid_images, False), CFG.batch_size, collate_fn=collate_fn)

    model = build_model().to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=CFG.lr, momentum=CFG.momentum, weight_decay=CFG.weight_decay)
    warm = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.01, total_iters=CFG.warmup)

    hist = Averager()
    model.train()
    for it, (images, targets) in enumerate(train_loader):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        loss_dict = model(images, targets)
        losses = sum(loss_dict.values())
        hist.send(losses.item())
        optimizer.zero_grad()
        losses.backward()
        torch.nn.utils.clip_grad_norm_(params, 5.0)
        optimizer.step()
        warm.step()
        parts = " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in loss_dict.items())
        print(f"iter {it}: {losses.item():.3f} [{parts}]")
    print(f"epoch loss {hist.value:.4f}")

    model.eval()
    n_boxes = 0
    with torch.no_grad():
        for images, _ in valid_loader:
            outs = model([im.to(device) for im in images])
            n_boxes += sum(int((o["scores"] > 0.05).sum()) for o in outs)
    print("validation boxes over 0.05:", n_boxes)
    print("peak MB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
