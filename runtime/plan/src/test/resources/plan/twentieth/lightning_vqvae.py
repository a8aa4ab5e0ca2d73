"""VQ-VAE with EMA codebook in PyTorch Lightning (16-mixed precision, gradient accumulation, checkpoints)."""
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from pytorch_lightning.callbacks import Callback, ModelCheckpoint
from torch.utils.data import DataLoader, Dataset

warnings.filterwarnings("ignore")


class Textures(Dataset):
    def __init__(self, n, size, seed):
        self.n, self.size, self.seed = n, size, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 100003 + i)
        coarse = torch.rand(1, 3, 8, 8, generator=g)
        return F.interpolate(coarse, size=(self.size, self.size), mode="bilinear")[0] * 2 - 1


class DataModule(pl.LightningDataModule):
    def __init__(self, size=128, batch_size=32):
        super().__init__()
        self.size, self.batch_size = size, batch_size

    def train_dataloader(self):
        return DataLoader(Textures(self.batch_size * 6, self.size, 1), self.batch_size, shuffle=True, drop_last=True)

    def val_dataloader(self):
        return DataLoader(Textures(self.batch_size * 2, self.size, 2), self.batch_size)


class Residual(nn.Module):
    def __init__(self, c, r):
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(), nn.Conv2d(c, r, 3, padding=1), nn.ReLU(), nn.Conv2d(r, c, 1))

    def forward(self, x):
        return x + self.net(x)


class VectorQuantizerEMA(nn.Module):
    def __init__(self, k, d, decay=0.99, eps=1e-5):
        super().__init__()
        self.k, self.decay, self.eps = k, decay, eps
        self.register_buffer("code", torch.randn(k, d))
        self.register_buffer("count", torch.ones(k))
        self.register_buffer("total", self.code.clone())

    def forward(self, z):
        with torch.autocast(z.device.type, enabled=False):
            z = z.float()
            flat = z.permute(0, 2, 3, 1).reshape(-1, z.size(1))
            dist = flat.pow(2).sum(1, True) - 2 * flat @ self.code.t() + self.code.pow(2).sum(1)
            idx = dist.argmin(1)
            q = self.code[idx].view(z.size(0), z.size(2), z.size(3), -1).permute(0, 3, 1, 2)
            if self.training:
                with torch.no_grad():
                    onehot = F.one_hot(idx, self.k).float()
                    self.count.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
                    self.total.mul_(self.decay).add_(onehot.t() @ flat, alpha=1 - self.decay)
                    n = self.count.sum()
                    c = (self.count + self.eps) / (n + self.k * self.eps) * n
                    self.code.copy_(self.total / c[:, None])
            commit = F.mse_loss(z, q.detach())
            p = torch.bincount(idx, minlength=self.k).float() / idx.numel()
            return z + (q - z).detach(), commit, torch.exp(-(p * (p + 1e-10).log()).sum())


class VQVAE(pl.LightningModule):
    def __init__(self, c=128, r=64, n_res=2, d=64, k=1024, beta=0.25, lr=3e-4):
        super().__init__()
        self.save_hyperparameters()
        res = lambda: [Residual(c, r) for _ in range(n_res)]
        self.enc = nn.Sequential(nn.Conv2d(3, c // 2, 4, 2, 1), nn.ReLU(), nn.Conv2d(c // 2, c, 4, 2, 1), nn.ReLU(),
                                 nn.Conv2d(c, c, 3, padding=1), *res(), nn.ReLU(), nn.Conv2d(c, d, 1))
        self.vq = VectorQuantizerEMA(k, d)
        self.dec = nn.Sequential(nn.Conv2d(d, c, 3, padding=1), *res(), nn.ReLU(), nn.ConvTranspose2d(c, c // 2, 4, 2, 1),
                                 nn.ReLU(), nn.ConvTranspose2d(c // 2, 3, 4, 2, 1))

    def shared(self, x, stage):
        q, commit, perplexity = self.vq(self.enc(x))
        rec = F.mse_loss(self.dec(q), x)
        loss = rec + self.hparams.beta * commit
        self.log_dict({f"{stage}_loss": loss, f"{stage}_ppl": perplexity}, prog_bar=False)
        return loss

    def training_step(self, batch, _):
        return self.shared(batch, "train")

    def validation_step(self, batch, _):
        self.shared(batch, "val")

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)}


class Report(Callback):
    def on_validation_epoch_end(self, trainer, module):
        m = {k: round(float(v), 4) for k, v in trainer.callback_metrics.items()}
        print(f"epoch {trainer.current_epoch}", m, f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    pl.seed_everything(1, verbose=False)
    with tempfile.TemporaryDirectory() as root:
        ckpt = ModelCheckpoint(dirpath=root, monitor="val_loss", save_top_k=1)
        trainer = pl.Trainer(
            accelerator="gpu", devices=1, max_epochs=2, precision="16-mixed", accumulate_grad_batches=2,
            gradient_clip_val=1.0, logger=False, enable_progress_bar=False, enable_model_summary=False,
            num_sanity_val_steps=1, callbacks=[ckpt, Report()], default_root_dir=root)
        trainer.fit(VQVAE(), datamodule=DataModule())
        print("best val loss", float(ckpt.best_model_score))
