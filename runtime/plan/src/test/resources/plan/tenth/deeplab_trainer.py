import logging
import os
import tempfile

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models.segmentation import deeplabv3_resnet50

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
log = logging.getLogger("seg")


class SegTrainer:
    def __init__(self, num_classes=21, lr=0.01, aux_weight=0.4, device=None):
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.num_classes = num_classes
        self.aux_weight = aux_weight
        self.model = deeplabv3_resnet50(weights=None, weights_backbone=None,
                                        num_classes=num_classes, aux_loss=True).to(self.device)
        groups = [
            {"params": self.model.backbone.parameters(), "lr": lr},
            {"params": self.model.classifier.parameters(), "lr": lr * 10},
            {"params": self.model.aux_classifier.parameters(), "lr": lr * 10},
        ]
        self.opt = torch.optim.SGD(groups, lr=lr, momentum=0.9, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.PolynomialLR(self.opt, total_iters=20, power=0.9)
        self.best = -1.0
        self.ckpt_dir = tempfile.mkdtemp(prefix="deeplab_")

    def loss(self, out, target):
        main = F.cross_entropy(out["out"], target, ignore_index=255)
        aux = F.cross_entropy(out["aux"], target, ignore_index=255)
        return main + self.aux_weight * aux

    def train_epoch(self, loader):
        self.model.train()
        running = 0.0
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            self.opt.zero_grad()
            loss = self.loss(self.model(x), y)
            loss.backward()
            self.opt.step()
            self.sched.step()
            running += loss.item()
        return running / len(loader)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        n = self.num_classes
        conf = torch.zeros(n * n, dtype=torch.int64, device=self.device)
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            pred = self.model(x)["out"].argmax(1)
            keep = y != 255
            conf += torch.bincount(y[keep] * n + pred[keep], minlength=n * n)
        conf = conf.view(n, n).float()
        inter = conf.diag()
        union = conf.sum(0) + conf.sum(1) - inter
        return (inter / union.clamp(min=1)).mean().item()

    def save(self, epoch, miou):
        path = os.path.join(self.ckpt_dir, "best.pt")
        torch.save({"model": self.model.state_dict(), "opt": self.opt.state_dict(), "epoch": epoch, "miou": miou}, path)
        log.info("saved %s", path)

    def fit(self, train, val, epochs):
        for epoch in range(epochs):
            tl = self.train_epoch(train)
            miou = self.validate(val)
            log.info("epoch %d train loss %.4f mIoU %.4f", epoch, tl, miou)
            if miou > self.best:
                self.best = miou
                self.save(epoch, miou)


def synthetic(n, size, classes):
    x = torch.randn(n, 3, size, size)
    y = torch.randint(0, classes, (n, size // 16, size // 16))
    y = y.repeat_interleave(16, 1).repeat_interleave(16, 2)
    y[:, :4, :] = 255  # void border
    return TensorDataset(x, y)


if __name__ == "__main__":
    torch.manual_seed(1)
    size = 384
    train = DataLoader(synthetic(24, size, 21), batch_size=8, shuffle=True, drop_last=True, pin_memory=True)
    val = DataLoader(synthetic(12, size, 21), batch_size=4)
    SegTrainer().fit(train, val, epochs=2)
