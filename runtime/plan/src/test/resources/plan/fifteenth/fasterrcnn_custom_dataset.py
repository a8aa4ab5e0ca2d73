"""Object detection finetuning in the style of the torchvision tutorial (Faster R-CNN, own classes)."""
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.models.detection import fasterrcnn_resnet50_fpn
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor

NUM_CLASSES = 5
BATCH_SIZE = 3
MIN_SIZE, MAX_SIZE = 480, 640
N_TRAIN, N_VAL = 15, 4
DEVICE = torch.device("cuda")


class ShapesDataset(Dataset):
    """Random pictures with 1 to 8 coloured rectangles each."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            h = int(torch.randint(300, 500, (1,), generator=g))
            w = int(torch.randint(360, 640, (1,), generator=g))
            k = int(torch.randint(1, 9, (1,), generator=g))
            xy = torch.rand(k, 2, generator=g) * torch.tensor([w * 0.6, h * 0.6])
            wh = 20 + torch.rand(k, 2, generator=g) * torch.tensor([w * 0.3, h * 0.3])
            labels = torch.randint(1, NUM_CLASSES, (k,), generator=g)
            self.items.append((h, w, torch.cat([xy, xy + wh], 1), labels))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        h, w, boxes, labels = self.items[i]
        img = torch.full((3, h, w), 0.5)
        for b, c in zip(boxes.long().tolist(), labels.tolist()):
            img[c % 3, b[1]:b[3], b[0]:b[2]] = 0.2 * c
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        target = {"boxes": boxes, "labels": labels, "image_id": i, "area": area,
                  "iscrowd": torch.zeros(len(labels), dtype=torch.int64)}
        return img, target


def collate_fn(batch):
    return tuple(zip(*batch))


def get_model():
    model = fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None, min_size=MIN_SIZE, max_size=MAX_SIZE)
    in_features = model.roi_heads.box_predictor.cls_score.in_features
    model.roi_heads.box_predictor = FastRCNNPredictor(in_features, NUM_CLASSES)
    return model


def train_one_epoch(model, optimizer, loader, epoch):
    model.train()
    warmup = None
    if epoch == 0:
        warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=1e-3, total_iters=len(loader) - 1)
    for it, (images, targets) in enumerate(loader):
        images = [im.to(DEVICE) for im in images]
        targets = [{k: v.to(DEVICE) if torch.is_tensor(v) else v for k, v in t.items()} for t in targets]
        loss_dict = model(images, targets)
        losses = sum(loss_dict.values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        if warmup is not None:
            warmup.step()
        print(f"[{epoch}:{it}] " + " ".join(f"{k.replace('loss_', '')}={v.item():.3f}" for k, v in loss_dict.items()))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    n_det = 0
    for images, _ in loader:
        outputs = model([im.to(DEVICE) for im in images])
        outputs = [{k: v.cpu() for k, v in o.items()} for o in outputs]
        n_det += sum((o["scores"] > 0.05).sum().item() for o in outputs)
    print("detections above 0.05:", n_det)


if __name__ == "__main__":
    torch.manual_seed(1)
    train_loader = DataLoader(ShapesDataset(N_TRAIN, 0), batch_size=BATCH_SIZE, shuffle=True, collate_fn=collate_fn)
    val_loader = DataLoader(ShapesDataset(N_VAL, 9), batch_size=1, collate_fn=collate_fn)
    model = get_model().to(DEVICE)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.005, momentum=0.9, weight_decay=0.0005)
    train_one_epoch(model, optimizer, train_loader, 0)
    evaluate(model, val_loader)
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
