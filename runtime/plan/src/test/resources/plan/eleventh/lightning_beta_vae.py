"""Beta-VAE as a LightningModule: bf16-mixed precision, KL annealing, gradient clipping, checkpoint callback."""
import logging
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from pytorch_lightning.callbacks import Callback, ModelCheckpoint
from torch.utils.data import DataLoader, Dataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)

SIZE, LATENT, WIDTH, BATCH = 128, 64, 48, 48
TRAIN_N, VAL_N = 240, 96


class Ellipses(Dataset):
    def __init__(self, n, offset):
        self.n, self.offset = n, offset
        ax = torch.linspace(-1, 1, SIZE)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.offset + i)
        cx, cy, a, b, th = (torch.rand(5, generator=g) - 0.5).tolist()
        c, s = torch.cos(torch.tensor(th * 3)), torch.sin(torch.tensor(th * 3))
        u = c * (self.xx - cx) + s * (self.yy - cy)
        v = -s * (self.xx - cx) + c * (self.yy - cy)
        inside = (u / (abs(a) + 0.2)) ** 2 + (v / (abs(b) + 0.2)) ** 2 < 1
        return inside.float() * torch.rand(3, 1, 1, generator=g)


def down(ci, co):
    return nn.Sequential(nn.Conv2d(ci, co, 4, 2, 1), nn.BatchNorm2d(co), nn.SiLU(), nn.Conv2d(co, co, 3, 1, 1), nn.BatchNorm2d(co), nn.SiLU())


def up(ci, co):
    return nn.Sequential(nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(ci, co, 3, 1, 1), nn.BatchNorm2d(co), nn.SiLU(),
                         nn.Conv2d(co, co, 3, 1, 1), nn.BatchNorm2d(co), nn.SiLU())


class BetaVAE(pl.LightningModule):
    def __init__(self, beta=4.0, lr=1e-3, warm=10):
        super().__init__()
        self.save_hyperparameters()
        w = WIDTH
        self.enc = nn.Sequential(down(3, w), down(w, 2 * w), down(2 * w, 4 * w), down(4 * w, 4 * w), nn.Flatten())
        side = SIZE // 16
        self.to_stats = nn.Linear(4 * w * side * side, 2 * LATENT)
        self.from_z = nn.Sequential(nn.Linear(LATENT, 4 * w * side * side), nn.Unflatten(1, (4 * w, side, side)))
        self.dec = nn.Sequential(up(4 * w, 4 * w), up(4 * w, 2 * w), up(2 * w, w), up(w, w), nn.Conv2d(w, 3, 3, 1, 1))

    def forward(self, x):
        mu, logvar = self.to_stats(self.enc(x)).float().chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(self.from_z(z)), mu, logvar

    def elbo(self, x):
        rec, mu, logvar = self(x)
        bce = F.binary_cross_entropy_with_logits(rec.float(), x, reduction="none").sum((1, 2, 3)).mean()
        kl = (-0.5 * (1 + logvar - mu ** 2 - logvar.exp())).sum(1).mean()
        return bce, kl

    def training_step(self, x, idx):
        bce, kl = self.elbo(x)
        w = self.hparams.beta * min(1.0, (self.global_step + 1) / self.hparams.warm)
        self.log_dict({"bce": bce, "kl": kl})
        return bce + w * kl

    def validation_step(self, x, idx):
        bce, kl = self.elbo(x)
        self.log("val_elbo", bce + kl, prog_bar=False)

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr, amsgrad=True)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": torch.optim.lr_scheduler.ExponentialLR(opt, 0.97), "interval": "step"}}


class Report(Callback):
    def on_train_epoch_end(self, trainer, module):
        m = {k: round(float(v), 2) for k, v in trainer.callback_metrics.items()}
        print("epoch", trainer.current_epoch, m, "peak MiB", torch.cuda.max_memory_allocated() >> 20)


def main():
    pl.seed_everything(15, verbose=False)
    train = DataLoader(Ellipses(TRAIN_N, 0), batch_size=BATCH, shuffle=True, drop_last=True)
    val = DataLoader(Ellipses(VAL_N, 10_000), batch_size=BATCH)
    with tempfile.TemporaryDirectory() as root:
        ckpt = ModelCheckpoint(dirpath=root, monitor="val_elbo", save_top_k=1)
        trainer = pl.Trainer(max_epochs=1, accelerator="gpu", devices=1, precision="bf16-mixed", gradient_clip_val=100.0,
                             callbacks=[ckpt, Report()], logger=False, enable_progress_bar=False,
                             enable_model_summary=False, default_root_dir=root, num_sanity_val_steps=1)
        trainer.fit(BetaVAE(), train, val)
        print("saved", ckpt.best_model_path != "", "steps", trainer.global_step)


if __name__ == "__main__":
    main()
