import tempfile

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class G(nn.Module):
    def __init__(self, z=128, w=96):
        super().__init__()

        def up(i, o, s=2, p=1):
            return [nn.ConvTranspose2d(i, o, 4, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU(True)]

        self.net = nn.Sequential(*up(z, w * 8, 1, 0), *up(w * 8, w * 8), *up(w * 8, w * 4), *up(w * 4, w * 2), *up(w * 2, w),
                                 nn.ConvTranspose2d(w, 3, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.net(z[:, :, None, None])


class D(nn.Module):
    def __init__(self, w=96):
        super().__init__()
        sn = nn.utils.spectral_norm
        layers, c = [], 3
        for m in (1, 2, 4, 8, 8):
            layers += [sn(nn.Conv2d(c, w * m, 4, 2, 1)), nn.LeakyReLU(0.2, True)]
            c = w * m
        self.net = nn.Sequential(*layers, sn(nn.Conv2d(c, 1, 4)))

    def forward(self, x):
        return self.net(x).flatten()


class GAN(pl.LightningModule):
    def __init__(self, z_dim=128, width=96, lr=2e-4, accumulate=1):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.g, self.d = G(z_dim, width), D(width)
        self.bce = nn.BCEWithLogitsLoss()
        self.register_buffer("fixed_z", torch.randn(16, z_dim))

    def noise(self, n):
        return torch.randn(n, self.hparams.z_dim, device=self.device)

    def training_step(self, batch, idx):
        (real,) = batch
        opt_g, opt_d = self.optimizers()
        n = real.size(0)

        # --- D
        self.toggle_optimizer(opt_d)
        fake = self.g(self.noise(n)).detach()
        pr, pf = self.d(real), self.d(fake)
        loss_d = self.bce(pr, torch.full_like(pr, 0.9)) + self.bce(pf, torch.zeros_like(pf))
        opt_d.zero_grad()
        self.manual_backward(loss_d)
        opt_d.step()
        self.untoggle_optimizer(opt_d)

        # --- G
        self.toggle_optimizer(opt_g)
        pf = self.d(self.g(self.noise(n)))
        loss_g = self.bce(pf, torch.ones_like(pf))
        opt_g.zero_grad()
        self.manual_backward(loss_g)
        opt_g.step()
        self.untoggle_optimizer(opt_g)
        self.log_dict({"loss_d": loss_d, "loss_g": loss_g})
        if idx % 2 == 0:
            print(f"batch {idx}: D {loss_d.item():.3f} G {loss_g.item():.3f}")

    def on_train_epoch_end(self):
        self.g.eval()
        with torch.no_grad():
            sample = self.g(self.fixed_z)
        self.g.train()
        print(f"epoch {self.current_epoch}: sample std {sample.std().item():.4f}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    def configure_optimizers(self):
        kw = dict(lr=self.hparams.lr, betas=(0.5, 0.999))
        return torch.optim.Adam(self.g.parameters(), **kw), torch.optim.Adam(self.d.parameters(), **kw)


def main(images=256, batch=64, size=128, epochs=2, device="cuda"):
    pl.seed_everything(8)
    data = TensorDataset(torch.rand(images, 3, size, size) * 2 - 1)
    loader = DataLoader(data, batch_size=batch, shuffle=True, drop_last=True)
    with tempfile.TemporaryDirectory() as root:
        trainer = pl.Trainer(max_epochs=epochs, accelerator=device, devices=1, precision="bf16-mixed",
                             default_root_dir=root, logger=False, enable_checkpointing=False,
                             enable_progress_bar=False, enable_model_summary=False)
        trainer.fit(GAN(), loader)


if __name__ == "__main__":
    main()
