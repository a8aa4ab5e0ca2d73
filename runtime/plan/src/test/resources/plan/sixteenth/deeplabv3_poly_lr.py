"""Semantic segmentation reference script (DeepLabV3-ResNet50 with auxiliary head)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models.segmentation import deeplabv3_resnet50

NUM_CLASSES = 21
CROP = 256
BATCH = 4
EPOCHS = 2
ITERS = 3
device = torch.device("cuda")


class VOCLike(Dataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed + i)
        img = torch.randn(3, CROP, CROP, generator=g)
        mask = torch.randint(0, NUM_CLASSES, (CROP // 16, CROP // 16), generator=g)
        mask = mask.repeat_interleave(16, 0).repeat_interleave(16, 1)
        mask[torch.rand(CROP, CROP, generator=g) < 0.02] = 255
        return img, mask


class ConfusionMatrix:
    def __init__(self, n):
        self.n = n
        self.mat = None

    def update(self, a, b):
        if self.mat is None:
            self.mat = torch.zeros((self.n, self.n), dtype=torch.int64, device=a.device)
        with torch.inference_mode():
            k = (a >= 0) & (a < self.n)
            inds = self.n * a[k].to(torch.int64) + b[k]
            self.mat += torch.bincount(inds, minlength=self.n**2).reshape(self.n, self.n)

    def miou(self):
        h = self.mat.float()
        iu = torch.diag(h) / (h.sum(1) + h.sum(0) - torch.diag(h)).clamp(min=1)
        return iu.mean().item()


def criterion(outputs, target):
    losses = {k: nn.functional.cross_entropy(v, target, ignore_index=255) for k, v in outputs.items()}
    return losses["out"] + 0.5 * losses["aux"]


def evaluate(model, loader):
    model.eval()
    cm = ConfusionMatrix(NUM_CLASSES)
    with torch.inference_mode():
        for image, target in loader:
            out = model(image.to(device))["out"]
            cm.update(target.flatten().to(device), out.argmax(1).flatten())
    return cm.miou()


def main():
    torch.manual_seed(11)
    model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=NUM_CLASSES, aux_loss=True).to(device)
    groups = [
        {"params": [p for p in model.backbone.parameters() if p.requires_grad]},
        {"params": [p for p in model.classifier.parameters() if p.requires_grad]},
        {"params": [p for p in model.aux_classifier.parameters() if p.requires_grad], "lr": 0.1},
    ]
    optimizer = torch.optim.SGD(groups, lr=0.01, momentum=0.9, weight_decay=1e-4)
    total = EPOCHS * ITERS
    lr_scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=total, power=0.9)
    train = DataLoader(VOCLike(BATCH * ITERS, 0), batch_size=BATCH, shuffle=True, drop_last=True)
    test = DataLoader(VOCLike(3, 5000), batch_size=1)
    for epoch in range(EPOCHS):
        model.train()
        for image, target in train:
            image, target = image.to(device), target.to(device)
            output = model(image)
            loss = criterion(output, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            lr_scheduler.step()
        print(f"epoch {epoch}: loss {loss.item():.4f} lr {optimizer.param_groups[0]['lr']:.5f} "
              f"mIoU {evaluate(model, test):.4f}")
    print("max memory", round(torch.cuda.max_memory_allocated() / 2**20), "MB")


if __name__ == "__main__":
    main()
