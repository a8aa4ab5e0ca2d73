"""pytorch_lightning: sliced score matching of a VE-SDE on point sets, predictor-corrector sampling at the end."""
import tempfile
import warnings
import logging

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)

BATCH = 12288
N_DATA = 98304
HID = 512
BLOCKS = 5
STEPS = 6
SIGMA_MAX = 10.0
SIGMA_MIN = 0.01


def swiss_roll(n):
    g = torch.Generator().manual_seed(0)
    t = 1.5 * torch.pi * (1 + 2 * torch.rand(n, generator=g))
    y = 21 * torch.rand(n, generator=g)
    x = torch.stack([t * t.cos(), y - 10, t * t.sin()], 1) / 7
    return x + 0.02 * torch.randn(n, 3, generator=g)


class Block(nn.Module):
    def __init__(self, h, c):
        super().__init__()
        self.norm = nn.LayerNorm(h, elementwise_affine=False)
        self.mod = nn.Linear(c, 3 * h)
        self.f = nn.Sequential(nn.Linear(h, 2 * h), nn.Softplus(), nn.Linear(2 * h, h))

    def forward(self, x, c):
        s, b, g = self.mod(c).chunk(3, -1)
        return x + g * self.f(self.norm(x) * (1 + s) + b)


class ScoreModel(pl.LightningModule):
    def __init__(self, hid=HID, blocks=BLOCKS, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.register_buffer("freq", torch.randn(32) * 4)
        self.inp = nn.Linear(3, hid)
        self.cond = nn.Sequential(nn.Linear(64, 128), nn.SiLU())
        self.blocks = nn.ModuleList(Block(hid, 128) for _ in range(blocks))
        self.out = nn.Linear(hid, 3)

    def forward(self, x, sigma):
        a = sigma.log()[:, None] * self.freq
        c = self.cond(torch.cat([a.sin(), a.cos()], -1))
        h = self.inp(x / (1 + sigma[:, None] ** 2).sqrt())
        for b in self.blocks:
            h = b(h, c)
        return self.out(h) / sigma[:, None]

    def training_step(self, batch, i):
        (x,) = batch
        u = torch.rand(len(x), device=self.device)
        sigma = SIGMA_MIN * (SIGMA_MAX / SIGMA_MIN) ** u
        xt = (x + sigma[:, None] * torch.randn_like(x)).requires_grad_(True)
        v = torch.randn_like(xt)
        s = self(xt, sigma)
        # v^T J v through double backward
        jv = torch.autograd.grad((s * v).sum(), xt, create_graph=True)[0]
        loss = ((sigma**2) * ((jv * v).sum(1) + 0.5 * s.pow(2).sum(1))).mean()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": torch.optim.lr_scheduler.LinearLR(opt, 0.2, total_iters=3), "interval": "step"}}

    @torch.no_grad()
    def sample(self, n, steps=12):
        x = SIGMA_MAX * torch.randn(n, 3, device=self.device)
        sig = torch.logspace(1, -2, steps, device=self.device)
        for a, b in zip(sig[:-1], sig[1:]):
            d = a**2 - b**2
            x = x + d * self(x, a.expand(n)) + d.sqrt() * torch.randn_like(x)
            g = self(x, b.expand(n))
            eps = 2 * (0.16 * x.norm(dim=1).mean() / g.norm(dim=1).mean().clamp_min(1e-6)) ** 2
            x = x + eps.clamp(max=float(b) ** 2) * g
        return x


def main():
    pl.seed_everything(0, verbose=False)
    model = ScoreModel()
    dl = DataLoader(TensorDataset(swiss_roll(N_DATA)), BATCH, shuffle=True, num_workers=0)
    with tempfile.TemporaryDirectory() as d:
        trainer = pl.Trainer(max_steps=STEPS, accelerator="cuda", devices=1, logger=False, enable_checkpointing=False, default_root_dir=d,
                             gradient_clip_val=1.0, enable_progress_bar=False, enable_model_summary=False)
        trainer.fit(model, dl)
        print("loss", trainer.callback_metrics["loss"].item())
        trainer.save_checkpoint(d + "/last.ckpt")
    model = model.to("cuda").eval()
    s = model.sample(4096)
    print("sample std", s.std(0).tolist(), "peak MiB", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
