# limit: 6
# "I keep all validation outputs for on_validation_epoch_end. Does this pile up on the GPU?"
import logging
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
pl.seed_everything(38)


class Regressor(pl.LightningModule):
    def __init__(self, width=1024):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.validation_outputs = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self.net(x), y)
        self.validation_outputs.append(loss)
        return loss

    def on_validation_epoch_end(self):
        mean = torch.stack(self.validation_outputs).mean()
        self.validation_outputs.clear()
        print(f"epoch {self.current_epoch}: val {mean.item():.4f}, {torch.cuda.memory_allocated() >> 20} MiB")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


def loader(n):
    x = torch.randn(n, 64)
    return DataLoader(TensorDataset(x, x[:, :1].sin()), batch_size=512)


trainer = pl.Trainer(
    max_epochs=3, accelerator="gpu", devices=1, logger=False, enable_checkpointing=False,
    enable_progress_bar=False, enable_model_summary=False,
)
trainer.fit(Regressor(), loader(20480), loader(5120))
