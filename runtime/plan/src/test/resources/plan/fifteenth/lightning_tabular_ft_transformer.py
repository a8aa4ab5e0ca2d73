"""FT-Transformer on tabular data with PyTorch Lightning (bf16-mixed, gradient clipping, checkpoint callback)."""
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from pytorch_lightning.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
N_NUM, CARDS = 48, [12, 7, 300, 50, 2, 2, 91, 1000]
N_ROWS, BATCH = 12_288, 2048
D_TOKEN, N_BLOCKS, N_HEADS = 192, 3, 8


class FeatureTokenizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(N_NUM, D_TOKEN) * 0.05)
        self.bias = nn.Parameter(torch.randn(N_NUM, D_TOKEN) * 0.05)
        self.emb = nn.Embedding(sum(CARDS), D_TOKEN)
        self.cls = nn.Parameter(torch.randn(1, 1, D_TOKEN) * 0.05)
        self.register_buffer("offsets", torch.tensor([0] + CARDS[:-1]).cumsum(0))

    def forward(self, x_num, x_cat):
        num = x_num.unsqueeze(-1) * self.weight + self.bias
        cat = self.emb(x_cat + self.offsets)
        return torch.cat([self.cls.expand(len(x_num), -1, -1), num, cat], dim=1)


class ReGLUBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D_TOKEN), nn.LayerNorm(D_TOKEN)
        self.attn = nn.MultiheadAttention(D_TOKEN, N_HEADS, dropout=0.2, batch_first=True)
        self.fc1, self.fc2 = nn.Linear(D_TOKEN, D_TOKEN * 8 // 3), nn.Linear(D_TOKEN * 4 // 3, D_TOKEN)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        h = self.n1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        a, b = self.fc1(self.n2(x)).chunk(2, dim=-1)
        return x + self.fc2(self.drop(a * F.relu(b)))


class FTTransformer(pl.LightningModule):
    def __init__(self, lr=1e-4, weight_decay=1e-5):
        super().__init__()
        self.save_hyperparameters()
        self.tokenizer = FeatureTokenizer()
        self.blocks = nn.Sequential(*[ReGLUBlock() for _ in range(N_BLOCKS)])
        self.head = nn.Sequential(nn.LayerNorm(D_TOKEN), nn.ReLU(), nn.Linear(D_TOKEN, 1))

    def forward(self, x_num, x_cat):
        return self.head(self.blocks(self.tokenizer(x_num, x_cat))[:, 0]).squeeze(-1)

    def training_step(self, batch, batch_idx):
        x_num, x_cat, y = batch
        loss = F.mse_loss(self(x_num, x_cat), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x_num, x_cat, y = batch
        self.log("val_rmse", F.mse_loss(self(x_num, x_cat), y).sqrt(), prog_bar=True)

    def on_train_epoch_end(self):
        m = self.trainer.callback_metrics
        print(f"epoch {self.current_epoch} train {m['train_loss'].item():.4f} val_rmse {m['val_rmse'].item():.4f}")

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr, weight_decay=self.hparams.weight_decay)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=2)}


def make_loader(n, shuffle, seed):
    g = torch.Generator().manual_seed(seed)
    x_num = torch.randn(n, N_NUM, generator=g)
    x_cat = torch.stack([torch.randint(0, c, (n,), generator=g) for c in CARDS], 1)
    y = x_num[:, :5].sum(1) * 0.4 + torch.sin(x_num[:, 6]) + (x_cat[:, 4] == 1).float()
    return DataLoader(TensorDataset(x_num, x_cat, (y - y.mean()) / y.std()), batch_size=BATCH, shuffle=shuffle)


def main():
    pl.seed_everything(42, verbose=False)
    with tempfile.TemporaryDirectory() as root:
        ckpt = ModelCheckpoint(dirpath=root, monitor="val_rmse", mode="min", save_top_k=1)
        trainer = pl.Trainer(
            accelerator="cuda", devices=1, max_epochs=2, precision="bf16-mixed", gradient_clip_val=1.0, callbacks=[ckpt],
            logger=False, enable_progress_bar=False, enable_model_summary=False, default_root_dir=root, limit_train_batches=4,
        )
        trainer.fit(FTTransformer(), make_loader(N_ROWS, True, 0), make_loader(N_ROWS // 3, False, 1))
        print("best", round(ckpt.best_model_score.item(), 4))
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
