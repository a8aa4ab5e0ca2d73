"""Land-cover segmentation (DeepLabV3-ResNet50 with auxiliary head), bf16 autocast, poly LR.

Validation accumulates a confusion matrix on the GPU and reports mIoU.
"""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torchvision.models.segmentation import deeplabv3_resnet50


@dataclass
class Cfg:
    classes: int = 9
    crop: int = 321
    batch: int = 8
    iters: int = 5
    lr_backbone: float = 0.005
    lr_head: float = 0.05
    aux_weight: float = 0.4
    ignore: int = 255
    val_images: int = 4
    val_size: int = 512


cfg = Cfg()
torch.manual_seed(2024)
dev = "cuda"


def fake_tile(n, size):
    """Smooth random label map and an image that correlates with it."""
    coarse = torch.randint(0, cfg.classes, (n, 1, 9, 9)).float()
    lab = F.interpolate(coarse, size=(size, size), mode="nearest").long().squeeze(1)
    img = lab.unsqueeze(1).float() / cfg.classes + 0.2 * torch.randn(n, 3, size, size)
    lab[torch.rand(n, size, size) < 0.02] = cfg.ignore
    return img, lab


def criterion(out, target):
    main = F.cross_entropy(out["out"].float(), target, ignore_index=cfg.ignore)
    aux = F.cross_entropy(out["aux"].float(), target, ignore_index=cfg.ignore)
    return main + cfg.aux_weight * aux, main.detach(), aux.detach()


class Confusion:
    def __init__(self, k):
        self.k = k
        self.m = torch.zeros(k, k, dtype=torch.int64, device=dev)

    def update(self, pred, target):
        keep = target != cfg.ignore
        idx = target[keep] * self.k + pred[keep]
        self.m += torch.bincount(idx, minlength=self.k ** 2).view(self.k, self.k)

    def miou(self):
        m = self.m.double()
        inter = m.diag()
        union = m.sum(0) + m.sum(1) - inter
        return (inter / union.clamp(min=1)).mean().item()


def make_optimizer(model):
    groups = [
        {"params": [p for p in model.backbone.parameters() if p.requires_grad], "lr": cfg.lr_backbone},
        {"params": list(model.classifier.parameters()) + list(model.aux_classifier.parameters()),
         "lr": cfg.lr_head},
    ]
    return torch.optim.SGD(groups, momentum=0.9, weight_decay=1e-4)


def validate(model):
    model.eval()
    conf = Confusion(cfg.classes)
    with torch.no_grad():
        for _ in range(cfg.val_images):
            x, y = fake_tile(1, cfg.val_size)
            x, y = x.to(dev), y.to(dev)
            # flip test-time augmentation
            with torch.autocast("cuda", dtype=torch.bfloat16):
                logits = model(x)["out"]
                logits = logits + model(x.flip(-1))["out"].flip(-1)
            conf.update(logits.argmax(1), y)
    model.train()
    return conf.miou()


def main():
    model = deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=cfg.classes, aux_loss=True)
    model.to(dev).train()
    opt = make_optimizer(model)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=cfg.iters, power=0.9)
    for it in range(cfg.iters):
        x, y = fake_tile(cfg.batch, cfg.crop)
        x, y = x.to(dev), y.to(dev)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(x)
        loss, main_l, aux_l = criterion(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 2 == 0:
            print(f"iter {it} loss {loss.item():.3f} (main {main_l.item():.3f} aux {aux_l.item():.3f}) "
                  f"mem {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    print(f"mIoU {validate(model):.4f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
