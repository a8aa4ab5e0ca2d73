"""PatchTST-style multivariate forecaster as a LightningModule."""
import tempfile

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from pytorch_lightning.callbacks import Callback, ModelCheckpoint
from torch.utils.data import DataLoader, Dataset


class ETTLike(Dataset):
    def __init__(self, n, channels, seq_len, pred_len, seed):
        g = torch.Generator().manual_seed(seed)
        total = n + seq_len + pred_len
        t = torch.arange(total)[:, None]
        freq = torch.rand(1, channels, generator=g) * 0.2 + 0.02
        self.x = torch.sin(t * freq) + 0.3 * torch.randn(total, channels, generator=g)
        self.n, self.s, self.p = n, seq_len, pred_len

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return self.x[i:i + self.s], self.x[i + self.s:i + self.s + self.p]


class RevIN(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.w, self.b = nn.Parameter(torch.ones(c)), nn.Parameter(torch.zeros(c))

    def norm(self, x):
        self.mu = x.mean(1, keepdim=True).detach()
        self.sd = (x.var(1, keepdim=True, unbiased=False) + 1e-5).sqrt().detach()
        return (x - self.mu) / self.sd * self.w + self.b

    def denorm(self, y):
        return (y - self.b) / (self.w + 1e-8) * self.sd + self.mu


class PatchTST(pl.LightningModule):
    def __init__(self, channels=21, seq_len=336, pred_len=96, patch=16, stride=8, d=128, heads=8, layers=3, lr=1e-4):
        super().__init__()
        self.save_hyperparameters()
        n_patch = (seq_len - patch) // stride + 2
        self.revin = RevIN(channels)
        self.embed = nn.Linear(patch, d)
        self.pos = nn.Parameter(torch.randn(n_patch, d) * 0.02)
        layer = nn.TransformerEncoderLayer(d, heads, 2 * d, 0.2, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.Flatten(1), nn.Dropout(0.1), nn.Linear(n_patch * d, pred_len))

    def forward(self, x):
        B, L, C = x.shape
        h = self.hparams
        z = self.revin.norm(x).transpose(1, 2).reshape(B * C, L)
        z = F.pad(z, (0, h.stride), mode="replicate").unfold(-1, h.patch, h.stride)
        z = self.encoder(self.embed(z) + self.pos)
        y = self.head(z).view(B, C, -1).transpose(1, 2)
        return self.revin.denorm(y)

    def training_step(self, batch, _):
        x, y = batch
        loss = F.mse_loss(self(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        pred = self(x)
        self.log_dict({"val_mse": F.mse_loss(pred, y), "val_mae": F.l1_loss(pred, y)}, prog_bar=False)

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr, weight_decay=1e-2)
        sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-3, total_steps=self.trainer.estimated_stepping_batches)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "step"}}


class Report(Callback):
    def on_train_epoch_end(self, trainer, module):
        m = {k: round(v.item(), 4) for k, v in trainer.callback_metrics.items()}
        print(f"epoch {trainer.current_epoch} {m} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


BATCH = 32
STEPS = 4
CHANNELS = 21


def main():
    pl.seed_everything(2021)
    train = DataLoader(ETTLike(BATCH * STEPS, CHANNELS, 336, 96, 0), BATCH, shuffle=True, drop_last=True)
    val = DataLoader(ETTLike(BATCH * 2, CHANNELS, 336, 96, 1), BATCH)
    model = PatchTST(channels=CHANNELS)
    with tempfile.TemporaryDirectory() as d:
        ckpt = ModelCheckpoint(dirpath=d, monitor="val_mse", save_top_k=1)
        trainer = pl.Trainer(accelerator="gpu", devices=1, max_epochs=2, precision="32-true", gradient_clip_val=1.0,
                             default_root_dir=d, logger=False, enable_progress_bar=False, enable_model_summary=False,
                             callbacks=[ckpt, Report()])
        trainer.fit(model, train, val)
        print("best", round(ckpt.best_model_score.item(), 4))


if __name__ == "__main__":
    main()
