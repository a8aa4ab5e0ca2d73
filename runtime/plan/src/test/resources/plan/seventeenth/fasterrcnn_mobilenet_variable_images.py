"""Detection: Faster R-CNN with MobileNetV3-FPN on synthetic scenes of different sizes."""
import random
import tempfile
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_fpn

NUM_CLASSES = 8
BATCH = 4
EPOCHS = 2
N_TRAIN = 12
N_VAL = 4
MIN_SIDE = 480
MAX_SIDE = 800


class Scenes(Dataset):
    """Each image has 1-12 coloured boxes; the size of image varies."""

    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.items = [(rng.randint(MIN_SIDE, MAX_SIDE), rng.randint(MIN_SIDE, MAX_SIDE), rng.randint(1, 12), rng.random())
                      for _ in range(n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        h, w, k, s = self.items[i]
        g = torch.Generator().manual_seed(int(s * 1e6))
        img = torch.rand(3, h, w, generator=g) * 0.2
        x1 = torch.rand(k, generator=g) * (w - 80)
        y1 = torch.rand(k, generator=g) * (h - 80)
        bw = 20 + torch.rand(k, generator=g) * 59
        bh = 20 + torch.rand(k, generator=g) * 59
        boxes = torch.stack([x1, y1, x1 + bw, y1 + bh], 1)
        labels = torch.randint(1, NUM_CLASSES, (k,), generator=g)
        for b, l in zip(boxes.long(), labels):
            img[:, b[1]:b[3], b[0]:b[2]] += 0.1 * l.item()
        return img, {"boxes": boxes, "labels": labels, "image_id": torch.tensor(i)}


def collate(batch):
    return tuple(zip(*batch))


def train_one_epoch(model, opt, warm, loader, device, epoch):
    model.train()
    for it, (images, targets) in enumerate(loader):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        losses = model(images, targets)
        loss = sum(losses.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if warm is not None:
            warm.step()
        parts = " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in losses.items())
        print(f"[{epoch}/{it}] total={loss.item():.3f} {parts}")


@torch.inference_mode()
def evaluate(model, loader, device):
    model.eval()
    n = 0
    for images, _ in loader:
        preds = model([im.to(device) for im in images])
        n += sum(len(p["boxes"].cpu()) for p in preds)
    return n


def main():
    torch.manual_seed(1)
    device = torch.device("cuda")
    model = fasterrcnn_mobilenet_v3_large_fpn(weights=None, weights_backbone=None, num_classes=NUM_CLASSES,
                                              min_size=640, max_size=832, trainable_backbone_layers=6)
    model.to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.005, momentum=0.9, weight_decay=5e-4)
    train = DataLoader(Scenes(N_TRAIN, 0), batch_size=BATCH, shuffle=True, collate_fn=collate)
    val = DataLoader(Scenes(N_VAL, 1), batch_size=2, collate_fn=collate)
    step_lr = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.5)
    with tempfile.TemporaryDirectory() as d:
        for epoch in range(EPOCHS):
            warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=len(train)) if epoch == 0 else None
            train_one_epoch(model, opt, warm, train, device, epoch)
            step_lr.step()
            n = evaluate(model, val, device)
            torch.save(model.state_dict(), Path(d) / f"det_{epoch}.pth")
            print(f"epoch {epoch}: {n} detections, max mem {torch.cuda.max_memory_allocated() / 1024 ** 2:.0f} MB")


if __name__ == "__main__":
    main()
