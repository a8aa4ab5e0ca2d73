"""Electric-load forecasting: PatchTST from transformers inside a LightningModule, rolling-origin windows, RAM-light data."""
import tempfile
import warnings

import pytorch_lightning as pl
import torch
from torch.utils.data import DataLoader, Dataset
from transformers import PatchTSTConfig, PatchTSTForPrediction

warnings.filterwarnings("ignore")

CONTEXT, HORIZON, CHANNELS = 512, 96, 64
BATCH, EPOCHS, WINDOWS, VAL_WINDOWS = 16, 2, 64, 32
D_MODEL, LAYERS = 128, 3


class Windows(Dataset):
    def __init__(self, series, n, stride):
        self.s, self.n, self.stride = series, n, stride

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        a = i * self.stride
        w = self.s[a:a + CONTEXT + HORIZON]
        return w[:CONTEXT], w[CONTEXT:]


class Forecaster(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = PatchTSTForPrediction(PatchTSTConfig(
            num_input_channels=CHANNELS, context_length=CONTEXT, prediction_length=HORIZON, patch_length=16,
            patch_stride=8, d_model=D_MODEL, num_attention_heads=8, num_hidden_layers=LAYERS, ffn_dim=4 * D_MODEL,
            attention_dropout=0.1, head_dropout=0.1, scaling="std", loss="mse"))
        self.history = []

    def training_step(self, batch, _):
        past, future = batch
        loss = self.net(past_values=past, future_values=future).loss
        self.log("train_mse", loss, prog_bar=False)
        self.history.append(loss.detach())
        return loss

    def validation_step(self, batch, _):
        past, future = batch
        pred = self.net(past_values=past).prediction_outputs
        self.log("val_mae", (pred - future).abs().mean(), on_epoch=True)

    def on_train_epoch_end(self):
        print(f"epoch {self.current_epoch} train mse {torch.stack(self.history).mean().item():.4f} "
              f"mem {torch.cuda.memory_allocated() >> 20} MiB")
        self.history.clear()

    def configure_optimizers(self):
        opt = torch.optim.NAdam(self.parameters(), lr=1e-3, weight_decay=1e-4, decoupled_weight_decay=True)
        sch = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-3, total_steps=self.trainer.estimated_stepping_batches)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sch, "interval": "step"}}


def main():
    pl.seed_everything(2025, verbose=False)
    n = CONTEXT + HORIZON + 24 * (WINDOWS + VAL_WINDOWS)
    t = torch.arange(n).float()[:, None]
    phase = torch.rand(1, CHANNELS) * 6.28
    series = torch.sin(2 * torch.pi * t / 24 + phase) + 0.5 * torch.sin(2 * torch.pi * t / 168) + 0.2 * torch.randn(n, CHANNELS)
    train = Windows(series, WINDOWS, 24)
    val = Windows(series[24 * WINDOWS:], VAL_WINDOWS, 24)
    with tempfile.TemporaryDirectory() as d:
        tr = pl.Trainer(accelerator="cuda", devices=1, max_epochs=EPOCHS, precision="32-true", logger=False,
                        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
                        num_sanity_val_steps=0, gradient_clip_val=0.5, default_root_dir=d)
        tr.fit(Forecaster(), DataLoader(train, BATCH, shuffle=True, drop_last=True), DataLoader(val, BATCH))
        print("val mae", round(tr.callback_metrics["val_mae"].item(), 4))
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
