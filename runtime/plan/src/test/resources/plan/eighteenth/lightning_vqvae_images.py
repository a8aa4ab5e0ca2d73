"""VQ-VAE as a LightningModule: EMA codebook, straight-through estimator, bf16-mixed, gradient accumulation."""
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

warnings.filterwarnings("ignore")


class Shapes(Dataset):
    def __init__(self, n, side):
        self.n, self.side = n, side

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        small = torch.rand(3, 8, 8, generator=g)
        return F.interpolate(small[None], size=self.side, mode="bicubic", align_corners=False)[0].clamp(0, 1) * 2 - 1


class ImageData(pl.LightningDataModule):
    def __init__(self, batch, side=128, n_train=96, n_val=32):
        super().__init__()
        self.batch, self.side, self.n_train, self.n_val = batch, side, n_train, n_val

    def train_dataloader(self):
        return DataLoader(Shapes(self.n_train, self.side), self.batch, shuffle=True)

    def val_dataloader(self):
        return DataLoader(Shapes(self.n_val, self.side), self.batch)


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.f = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, c, 3, 1, 1),
                               nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, c, 1))

    def forward(self, x):
        return x + self.f(x)


class Codebook(nn.Module):
    def __init__(self, k, d, decay=0.99):
        super().__init__()
        e = torch.randn(k, d)
        self.register_buffer("embed", e)
        self.register_buffer("size", torch.ones(k))
        self.register_buffer("avg", e.clone())
        self.decay = decay

    def forward(self, z):
        b, d, h, w = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, d).float()
        dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.embed.T + self.embed.pow(2).sum(1)
        code = dist.argmin(1)
        if self.training:
            with torch.no_grad():
                hot = F.one_hot(code, len(self.embed)).float()
                self.size.lerp_(hot.sum(0), 1 - self.decay)
                self.avg.lerp_((hot.T @ flat).float(), 1 - self.decay)
                n = self.size.sum()
                norm = (self.size + 1e-5) / (n + len(self.embed) * 1e-5) * n
                self.embed.copy_(self.avg / norm.unsqueeze(1))
        q = self.embed[code].view(b, h, w, d).permute(0, 3, 1, 2)
        commit = F.mse_loss(z.float(), q)
        usage = torch.bincount(code, minlength=len(self.embed)).gt(0).float().mean()
        return z + (q - z).detach(), commit, usage


class VQVAE(pl.LightningModule):
    def __init__(self, ch=96, d=64, k=1024, lr=3e-4):
        super().__init__()
        self.save_hyperparameters()
        self.enc = nn.Sequential(nn.Conv2d(3, ch, 4, 2, 1), nn.SiLU(), nn.Conv2d(ch, 2 * ch, 4, 2, 1),
                                 Residual(2 * ch), Residual(2 * ch), nn.Conv2d(2 * ch, d, 1))
        self.book = Codebook(k, d)
        self.dec = nn.Sequential(nn.Conv2d(d, 2 * ch, 3, 1, 1), Residual(2 * ch), Residual(2 * ch),
                                 nn.ConvTranspose2d(2 * ch, ch, 4, 2, 1), nn.SiLU(),
                                 nn.ConvTranspose2d(ch, 3, 4, 2, 1))

    def forward(self, x):
        z, commit, usage = self.book(self.enc(x))
        return self.dec(z), commit, usage

    def training_step(self, x, _):
        rec, commit, usage = self(x)
        loss = F.l1_loss(rec, x) + 0.25 * commit
        self.log_dict({"loss": loss, "usage": usage})
        return loss

    def validation_step(self, x, _):
        rec, _, _ = self(x)
        self.log("val_l1", F.l1_loss(rec, x))

    def configure_optimizers(self):
        opt = torch.optim.NAdam(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.ExponentialLR(opt, 0.95)}


def main():
    pl.seed_everything(9)
    with tempfile.TemporaryDirectory() as root:
        trainer = pl.Trainer(
            accelerator="gpu", devices=1, max_epochs=2, precision="bf16-mixed", accumulate_grad_batches=2,
            gradient_clip_val=1.0, default_root_dir=root, logger=False, enable_checkpointing=False,
            enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=1)
        model = VQVAE()
        trainer.fit(model, datamodule=ImageData(batch=24))
        print({k: round(float(v), 4) for k, v in trainer.callback_metrics.items()})
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
