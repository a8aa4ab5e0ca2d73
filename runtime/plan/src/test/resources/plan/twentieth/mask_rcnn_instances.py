"""Instance segmentation fine-tuning tutorial, but on synthetic rectangles and random weights."""
import torch
import torchvision
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor
from torchvision.models.detection.mask_rcnn import MaskRCNNPredictor
from torch.utils.data import DataLoader, Dataset


class Rectangles(Dataset):
    """Images of different size with 1..6 rectangles on noise."""

    def __init__(self, n, low=360, high=480, num_classes=4):
        self.n, self.low, self.high, self.num_classes = n, low, high, num_classes

    def __len__(self):
        return self.n

    def __getitem__(self, idx):
        g = torch.Generator().manual_seed(1000 + idx)
        h, w = torch.randint(self.low, self.high, (2,), generator=g).tolist()
        img = torch.rand(3, h, w, generator=g) * 0.3
        k = int(torch.randint(1, 7, (1,), generator=g))
        boxes, labels, masks = [], [], []
        for _ in range(k):
            bw = int(torch.randint(40, w // 2, (1,), generator=g))
            bh = int(torch.randint(40, h // 2, (1,), generator=g))
            x0 = int(torch.randint(0, w - bw, (1,), generator=g))
            y0 = int(torch.randint(0, h - bh, (1,), generator=g))
            c = int(torch.randint(1, self.num_classes, (1,), generator=g))
            m = torch.zeros(h, w, dtype=torch.uint8)
            m[y0:y0 + bh, x0:x0 + bw] = 1
            img[c - 1] += 0.7 * m
            boxes.append([x0, y0, x0 + bw, y0 + bh])
            labels.append(c)
            masks.append(m)
        target = {
            "boxes": torch.tensor(boxes, dtype=torch.float32),
            "labels": torch.tensor(labels, dtype=torch.int64),
            "masks": torch.stack(masks),
            "image_id": torch.tensor([idx]),
            "iscrowd": torch.zeros(k, dtype=torch.int64),
        }
        return img.clamp(0, 1), target


def collate_fn(batch):
    return tuple(zip(*batch))


def get_model_instance_segmentation(num_classes, min_size=384, max_size=512):
    model = torchvision.models.detection.maskrcnn_resnet50_fpn(
        weights=None, weights_backbone=None, min_size=min_size, max_size=max_size)
    in_features = model.roi_heads.box_predictor.cls_score.in_features
    model.roi_heads.box_predictor = FastRCNNPredictor(in_features, num_classes)
    in_features_mask = model.roi_heads.mask_predictor.conv5_mask.in_channels
    model.roi_heads.mask_predictor = MaskRCNNPredictor(in_features_mask, 256, num_classes)
    return model


def train_one_epoch(model, optimizer, loader, device, epoch):
    model.train()
    warm = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=1e-3, total_iters=len(loader))
    for i, (images, targets) in enumerate(loader):
        images = [im.to(device) for im in images]
        targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
        loss_dict = model(images, targets)
        losses = sum(loss_dict.values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        if epoch == 0:
            warm.step()
        parts = " ".join(f"{k.replace('loss_', '')}:{v.item():.3f}" for k, v in loss_dict.items())
        print(f"epoch {epoch} it {i} total {losses.item():.3f} {parts}")


@torch.inference_mode()
def evaluate(model, loader, device):
    model.eval()
    n = 0
    for images, _ in loader:
        out = model([im.to(device) for im in images])
        n += sum(len(o["scores"]) for o in out)
    print("detections:", n)


if __name__ == "__main__":
    torch.manual_seed(1)
    device = torch.device("cuda")
    train_loader = DataLoader(Rectangles(6), batch_size=2, shuffle=True, collate_fn=collate_fn)
    test_loader = DataLoader(Rectangles(2), batch_size=1, collate_fn=collate_fn)
    model = get_model_instance_segmentation(4).to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.002, momentum=0.9, weight_decay=0.0005)
    for epoch in range(2):
        train_one_epoch(model, optimizer, train_loader, device, epoch)
        evaluate(model, test_loader, device)
    print(f"peak GPU memory {torch.cuda.max_memory_allocated() / 1024**2:.0f} MB")
