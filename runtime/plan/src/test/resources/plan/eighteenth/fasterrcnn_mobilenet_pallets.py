# Detection of pallets / forklifts with torchvision's Faster R-CNN (MobileNetV3-FPN backbone).
# Real data cannot be shared, so random rectangles are drawn onto noise.
import math
import random

import torch
from torch.utils.data import Dataset, DataLoader
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_fpn

SEED = 7
NUM_CLASSES = 4          # background + 3
BATCH = 6
STEPS = 6
MIN_SIZE, MAX_SIZE = 512, 800
WARMUP_ITERS = 4
DEVICE = torch.device("cuda")


class Rectangles(Dataset):
    """Images of different shapes, each holding 2-12 boxes."""

    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        rng = random.Random(self.seed + idx)
        h = rng.choice([360, 420, 480, 540])
        w = rng.choice([480, 560, 640])
        gen = torch.Generator().manual_seed(self.seed + idx)
        img = torch.rand(3, h, w, generator=gen) * 0.3
        boxes, labels = [], []
        for _ in range(rng.randint(2, 12)):
            bw, bh = rng.randint(24, 160), rng.randint(24, 160)
            x0, y0 = rng.randint(0, w - bw - 1), rng.randint(0, h - bh - 1)
            lab = rng.randint(1, NUM_CLASSES - 1)
            img[lab - 1, y0:y0 + bh, x0:x0 + bw] += 0.6
            boxes.append([x0, y0, x0 + bw, y0 + bh])
            labels.append(lab)
        target = {
            "boxes": torch.tensor(boxes, dtype=torch.float32),
            "labels": torch.tensor(labels, dtype=torch.int64),
            "image_id": torch.tensor(idx),
        }
        return img.clamp_(0, 1), target


def collate(batch):
    return tuple(zip(*batch))


def build():
    model = fasterrcnn_mobilenet_v3_large_fpn(
        weights=None, weights_backbone=None, num_classes=NUM_CLASSES,
        min_size=MIN_SIZE, max_size=MAX_SIZE, box_detections_per_img=50,
    )
    return model.to(DEVICE)


def train(model, loader):
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.005, momentum=0.9, weight_decay=5e-4)
    warm = torch.optim.lr_scheduler.LinearLR(opt, start_factor=1e-3, total_iters=WARMUP_ITERS)
    model.train()
    for it, (images, targets) in enumerate(loader):
        images = [i.to(DEVICE) for i in images]
        targets = [{k: v.to(DEVICE) for k, v in t.items()} for t in targets]
        losses = model(images, targets)
        loss = sum(losses.values())
        if not math.isfinite(loss.item()):
            print("loss is not finite, skipping", {k: v.item() for k, v in losses.items()})
            opt.zero_grad()
            continue
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 10.0)
        opt.step()
        warm.step()
        parts = " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in losses.items())
        print(f"[{it}] total={loss.item():.3f} {parts}")
    return model


@torch.inference_mode()
def detect(model, loader):
    model.eval()
    count = 0
    for images, _ in loader:
        outs = model([i.to(DEVICE) for i in images])
        count += sum(int((o["scores"] > 0.05).sum()) for o in outs)
    return count


if __name__ == "__main__":
    random.seed(SEED)
    torch.manual_seed(SEED)
    train_loader = DataLoader(Rectangles(BATCH * STEPS, 100), batch_size=BATCH, shuffle=True,
                              collate_fn=collate, num_workers=0)
    test_loader = DataLoader(Rectangles(4, 9000), batch_size=2, collate_fn=collate)
    net = build()
    n_par = sum(p.numel() for p in net.parameters()) / 1e6
    print(f"{n_par:.1f} M parameters")
    train(net, train_loader)
    print("detections over threshold:", detect(net, test_loader))
    print(f"max allocated: {torch.cuda.max_memory_allocated() / 1e9:.2f} GB, "
          f"reserved: {torch.cuda.max_memory_reserved() / 1e9:.2f} GB")
