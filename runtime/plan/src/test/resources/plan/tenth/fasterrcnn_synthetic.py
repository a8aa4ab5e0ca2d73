"""Train Faster R-CNN on coloured rectangles."""
import random

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_resnet50_fpn

DEVICE = torch.device("cuda")


class Rectangles(Dataset):
    """Images with 1-6 filled rectangles, class = colour channel + 1."""

    def __init__(self, length=8, size=(480, 640)):
        self.length = length
        self.h, self.w = size

    def __len__(self):
        return self.length

    def __getitem__(self, idx):
        rng = random.Random(idx)
        img = torch.rand(3, self.h, self.w) * 0.2
        boxes, labels = [], []
        for _ in range(rng.randint(1, 6)):
            bw = rng.randint(self.w // 10, self.w // 3)
            bh = rng.randint(self.h // 10, self.h // 3)
            x0 = rng.randint(0, self.w - bw - 1)
            y0 = rng.randint(0, self.h - bh - 1)
            c = rng.randint(0, 2)
            img[c, y0:y0 + bh, x0:x0 + bw] = 1.0
            boxes.append([x0, y0, x0 + bw, y0 + bh])
            labels.append(c + 1)
        target = {
            "boxes": torch.tensor(boxes, dtype=torch.float32),
            "labels": torch.tensor(labels, dtype=torch.int64),
            "image_id": torch.tensor(idx),
        }
        return img, target


def collate(batch):
    return tuple(zip(*batch))


def build_model(num_classes):
    return fasterrcnn_resnet50_fpn(
        weights=None, weights_backbone=None, num_classes=num_classes,
        trainable_backbone_layers=5, min_size=600, max_size=1000)


def train_one_epoch(model, loader, opt, warmup):
    model.train()
    for i, (images, targets) in enumerate(loader):
        images = [im.to(DEVICE) for im in images]
        targets = [{k: v.to(DEVICE) for k, v in t.items()} for t in targets]
        loss_dict = model(images, targets)
        losses = sum(loss_dict.values())
        opt.zero_grad()
        losses.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        opt.step()
        warmup.step()
        msg = "  ".join(f"{k}={v.item():.3f}" for k, v in loss_dict.items())
        print(f"[{i}] total={losses.item():.3f}  {msg}")


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    n = 0
    for images, _ in loader:
        outs = model([im.to(DEVICE) for im in images])
        n += sum(len(o["boxes"]) for o in outs)
    print("detections:", n)


def main():
    random.seed(0)
    torch.manual_seed(0)
    train = DataLoader(Rectangles(12), batch_size=4, shuffle=False, collate_fn=collate)
    val = DataLoader(Rectangles(4), batch_size=2, collate_fn=collate)
    model = build_model(num_classes=4).to(DEVICE)
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.002, momentum=0.9, weight_decay=1e-4)
    warmup = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.01, total_iters=10)
    train_one_epoch(model, train, opt, warmup)
    evaluate(model, val)


if __name__ == "__main__":
    main()
