"""beta-VAE with PyTorch Lightning: bf16-mixed, SWA, gradient clipping, checkpoint in a temporary folder."""
import logging
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from pytorch_lightning.callbacks import Callback, ModelCheckpoint, StochasticWeightAveraging
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
SIDE, WIDTH, LATENT = 128, 64, 256
BATCH, N_TRAIN, N_VAL, EPOCHS = 48, 144, 48, 3
BETA = 4.0


def gn_act(c):
    return nn.Sequential(nn.GroupNorm(8, c), nn.SiLU())


class ResLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.f = nn.Sequential(gn_act(c), nn.Conv2d(c, c, 3, padding=1), gn_act(c), nn.Conv2d(c, c, 3, padding=1))

    def forward(self, x):
        return x + self.f(x)


class VAE(pl.LightningModule):
    def __init__(self, width=WIDTH, latent=LATENT, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        ch = [width, width, 2 * width, 4 * width, 4 * width]
        enc, dec = [nn.Conv2d(3, width, 3, padding=1)], []
        for a, b in zip(ch, ch[1:]):
            enc += [nn.Conv2d(a, b, 4, 2, 1), ResLayer(b)]
        for a, b in zip(ch[::-1], ch[-2::-1]):
            dec += [ResLayer(a), nn.ConvTranspose2d(a, b, 4, 2, 1)]
        s = SIDE // 16
        self.enc = nn.Sequential(*enc, gn_act(ch[-1]), nn.Flatten(), nn.Linear(ch[-1] * s * s, 2 * latent))
        self.dec_in = nn.Sequential(nn.Linear(latent, ch[-1] * s * s), nn.Unflatten(1, (ch[-1], s, s)))
        self.dec = nn.Sequential(*dec, gn_act(ch[0]), nn.Conv2d(ch[0], 3, 3, padding=1))
        self.example = None

    def forward(self, x):
        mu, logvar = self.enc(x).float().chunk(2, 1)
        logvar = logvar.clamp(-8, 8)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp() if self.training else mu
        return self.dec(self.dec_in(z)), mu, logvar

    def losses(self, x):
        rec, mu, logvar = self(x)
        mse = F.mse_loss(rec.float(), x, reduction="none").sum((1, 2, 3)).mean()
        kl = -0.5 * (1 + logvar - mu.square() - logvar.exp()).sum(1).mean()
        return mse, kl

    def training_step(self, batch, idx):
        mse, kl = self.losses(batch[0])
        anneal = min(1.0, (self.global_step + 1) / 6)
        loss = mse + BETA * anneal * kl
        self.log_dict({"mse": mse, "kl": kl, "loss": loss}, on_epoch=True, on_step=False)
        return loss

    def validation_step(self, batch, idx):
        mse, kl = self.losses(batch[0])
        self.log("val_elbo", -(mse + kl), batch_size=len(batch[0]))

    def configure_optimizers(self):
        opt = torch.optim.Adamax(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.MultiStepLR(opt, [2], 0.3)}


class Report(Callback):
    def on_train_epoch_end(self, trainer, module):
        m = trainer.callback_metrics
        print(f"epoch {trainer.current_epoch} mse {m['mse']:.1f} kl {m['kl']:.2f} "
              f"max {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def sprites(n, seed):
    g = torch.Generator().manual_seed(seed)
    grid = torch.linspace(0, 1, SIDE)
    c = torch.rand(n, 2, 1, 1, generator=g)
    r = 0.1 + 0.2 * torch.rand(n, 1, 1, generator=g)
    dist = (grid[None, :, None] - c[:, 0]).square() + (grid[None, None, :] - c[:, 1]).square()
    mask = (dist < r.square()).float()[:, None]
    return TensorDataset(mask * torch.rand(n, 3, 1, 1, generator=g) + 0.05 * torch.rand(n, 3, SIDE, SIDE, generator=g))


def main():
    pl.seed_everything(12, verbose=False)
    with tempfile.TemporaryDirectory() as root:
        ckpt = ModelCheckpoint(dirpath=root, monitor="val_elbo", mode="max", save_weights_only=True)
        trainer = pl.Trainer(
            accelerator="gpu", devices=1, max_epochs=EPOCHS, precision="bf16-mixed", default_root_dir=root, logger=False,
            gradient_clip_val=100.0, enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=1,
            callbacks=[StochasticWeightAveraging(swa_lrs=5e-4, swa_epoch_start=1, annealing_epochs=1), ckpt, Report()],
        )
        model = VAE()
        trainer.fit(model, DataLoader(sprites(N_TRAIN, 1), BATCH, shuffle=True), DataLoader(sprites(N_VAL, 2), BATCH))
        best = VAE.load_from_checkpoint(ckpt.best_model_path)
        print("val", {k: round(float(v), 2) for k, v in trainer.validate(best, DataLoader(sprites(N_VAL, 2), BATCH),
                                                                         verbose=False)[0].items()})


if __name__ == "__main__":
    main()
