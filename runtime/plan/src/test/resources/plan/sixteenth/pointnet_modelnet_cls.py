"""PointNet classification (with T-Nets) on synthetic point clouds shaped like ModelNet40."""
import tempfile

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchmetrics
from torch.utils.data import DataLoader, Dataset

NPOINTS = 1024
BATCH = 48
CLASSES = 40
N_TRAIN = 192


class PointClouds(Dataset):
    def __init__(self, n, seed, augment):
        self.g = torch.Generator().manual_seed(seed)
        self.pts = torch.randn(n, NPOINTS, 3, generator=self.g)
        self.pts /= self.pts.norm(dim=-1, keepdim=True).amax(1, keepdim=True)
        self.y = torch.randint(0, CLASSES, (n,), generator=self.g)
        self.augment = augment

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        p = self.pts[i]
        if self.augment:
            t = torch.rand(1) * 6.2831853
            c, s, o, one = torch.cos(t), torch.sin(t), torch.zeros(1), torch.ones(1)
            rot = torch.stack([torch.cat([c, o, s]), torch.cat([o, one, o]), torch.cat([-s, o, c])])
            p = p @ rot + torch.clamp(0.01 * torch.randn_like(p), -0.05, 0.05)
        return p.t().contiguous(), self.y[i]


def mlp1d(*ch):
    layers = []
    for a, b in zip(ch[:-1], ch[1:]):
        layers += [nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), nn.ReLU()]
    return nn.Sequential(*layers)


class TNet(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.conv = mlp1d(k, 64, 128, 1024)
        self.fc = nn.Sequential(nn.Linear(1024, 512), nn.BatchNorm1d(512), nn.ReLU(),
                                nn.Linear(512, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, k * k))

    def forward(self, x):
        z = self.fc(self.conv(x).amax(-1))
        return z.view(-1, self.k, self.k) + torch.eye(self.k, device=x.device)


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.t3, self.t64 = TNet(3), TNet(64)
        self.conv1 = mlp1d(3, 64, 64)
        self.conv2 = mlp1d(64, 64, 128, 1024)
        self.head = nn.Sequential(nn.Linear(1024, 512), nn.BatchNorm1d(512), nn.ReLU(), nn.Dropout(0.3),
                                  nn.Linear(512, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Dropout(0.3),
                                  nn.Linear(256, CLASSES))

    def forward(self, x):
        x = torch.bmm(self.t3(x), x)
        x = self.conv1(x)
        trans = self.t64(x)
        x = torch.bmm(trans, x)
        x = torch.max(self.conv2(x), 2)[0]
        return F.log_softmax(self.head(x), dim=1), trans


def feature_transform_regularizer(trans):
    eye = torch.eye(trans.size(1), device=trans.device)[None]
    return torch.linalg.matrix_norm((torch.bmm(trans, trans.transpose(1, 2)) - eye).float()).mean()


class LitPointNet(pl.LightningModule):
    def __init__(self, lr=1e-3):
        super().__init__()
        self.net = PointNet()
        self.lr = lr
        self.val_acc = torchmetrics.classification.MulticlassAccuracy(CLASSES, average="micro")
        self.val_map = torchmetrics.classification.MulticlassAccuracy(CLASSES, average="macro")

    def forward(self, pts):
        return self.net(pts)

    def training_step(self, batch, batch_idx):
        pts, y = batch
        pred, trans = self(pts)
        loss = F.nll_loss(pred, y) + 0.001 * feature_transform_regularizer(trans.float())
        self.log("loss", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, batch_idx):
        pts, y = batch
        pred = self(pts)[0]
        self.val_acc.update(pred, y)
        self.val_map.update(pred, y)

    def on_validation_epoch_end(self):
        print(f"epoch {self.current_epoch} acc {self.val_acc.compute().item():.3f} "
              f"class acc {self.val_map.compute().item():.3f}")
        self.val_acc.reset()
        self.val_map.reset()

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.lr, betas=(0.9, 0.999))
        return [opt], [torch.optim.lr_scheduler.StepLR(opt, 20, 0.5)]


def main():
    pl.seed_everything(1)
    train = DataLoader(PointClouds(N_TRAIN, 0, True), BATCH, shuffle=True, num_workers=0)
    test = DataLoader(PointClouds(48, 1, False), BATCH)
    with tempfile.TemporaryDirectory() as root:
        trainer = pl.Trainer(accelerator="gpu", devices=1, max_epochs=2, precision="16-mixed", default_root_dir=root,
                             num_sanity_val_steps=0, logger=False, enable_checkpointing=False,
                             enable_progress_bar=False, enable_model_summary=False)
        model = LitPointNet()
        trainer.fit(model, train, test)
    print("loss", trainer.callback_metrics["loss"].item())
    print("peak memory (MB):", torch.cuda.max_memory_allocated() / 1024**2)


if __name__ == "__main__":
    main()
