"""Anomaly detection for textures: convolutional autoencoder + SSIM loss, PyTorch Lightning."""
import tempfile

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

SIZE = 256
BATCH = 24
N_TRAIN = 96
N_VAL = 48
EPOCHS = 2
WIDTH = 48
ACCELERATOR = "cuda"


class Textures(Dataset):
    def __init__(self, n, defect, seed):
        self.n, self.defect, self.seed = n, defect, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed + i)
        base = F.interpolate(torch.rand(1, 3, 16, 16, generator=g), size=(SIZE, SIZE), mode="bilinear")[0]
        label = 0
        if self.defect and i % 2:
            a = SIZE // 4
            base[:, a:a * 2, a:a + 6] = 1.0
            label = 1
        return base, label


def ssim(x, y, k=11):
    c1, c2 = 0.01 ** 2, 0.03 ** 2
    mu_x, mu_y = F.avg_pool2d(x, k, 1), F.avg_pool2d(y, k, 1)
    sx = F.avg_pool2d(x * x, k, 1) - mu_x ** 2
    sy = F.avg_pool2d(y * y, k, 1) - mu_y ** 2
    sxy = F.avg_pool2d(x * y, k, 1) - mu_x * mu_y
    m = ((2 * mu_x * mu_y + c1) * (2 * sxy + c2)) / ((mu_x ** 2 + mu_y ** 2 + c1) * (sx + sy + c2))
    return m.mean((1, 2, 3))


class AutoEncoder(pl.LightningModule):
    def __init__(self, width=WIDTH, latent=128, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        w = width
        self.enc = nn.Sequential(
            nn.Conv2d(3, w, 4, 2, 1), nn.ELU(), nn.Conv2d(w, w, 3, 1, 1), nn.BatchNorm2d(w), nn.ELU(),
            nn.Conv2d(w, 2 * w, 4, 2, 1), nn.BatchNorm2d(2 * w), nn.ELU(),
            nn.Conv2d(2 * w, 4 * w, 4, 2, 1), nn.BatchNorm2d(4 * w), nn.ELU(),
            nn.Conv2d(4 * w, latent, 4, 2, 1))
        self.dec = nn.Sequential(
            nn.ConvTranspose2d(latent, 4 * w, 4, 2, 1), nn.BatchNorm2d(4 * w), nn.ELU(),
            nn.ConvTranspose2d(4 * w, 2 * w, 4, 2, 1), nn.BatchNorm2d(2 * w), nn.ELU(),
            nn.ConvTranspose2d(2 * w, w, 4, 2, 1), nn.BatchNorm2d(w), nn.ELU(),
            nn.ConvTranspose2d(w, 3, 4, 2, 1), nn.Sigmoid())
        self.scores, self.truth = [], []

    def forward(self, x):
        return self.dec(self.enc(x))

    def training_step(self, batch, _):
        x, _ = batch
        noisy = (x + 0.05 * torch.randn_like(x)).clamp(0, 1)
        rec = self(noisy)
        loss = F.l1_loss(rec, x) + (1 - ssim(rec, x)).mean()
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        self.scores.append(1 - ssim(self(x), x))
        self.truth.append(y)

    def on_validation_epoch_end(self):
        s, t = torch.cat(self.scores), torch.cat(self.truth)
        pos, neg = s[t == 1], s[t == 0]
        auc = (pos[:, None] > neg[None]).float().mean()
        self.log("val_auc", auc)
        self.scores.clear()
        self.truth.clear()
        print(f"auc {auc.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    def configure_optimizers(self):
        opt = torch.optim.NAdam(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.StepLR(opt, 1, 0.5)}


def main():
    pl.seed_everything(21)
    train = DataLoader(Textures(N_TRAIN, False, 0), batch_size=BATCH, shuffle=True)
    val = DataLoader(Textures(N_VAL, True, 10_000), batch_size=BATCH)
    with tempfile.TemporaryDirectory() as root:
        trainer = pl.Trainer(accelerator=ACCELERATOR, devices=1, max_epochs=EPOCHS, default_root_dir=root,
                             logger=False, enable_progress_bar=False, enable_model_summary=False,
                             gradient_clip_val=1.0, num_sanity_val_steps=0)
        trainer.fit(AutoEncoder(), train, val)


if __name__ == "__main__":
    main()
