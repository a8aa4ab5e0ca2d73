"""FT-Transformer on a wide table through PyTorch Lightning: weight averaging, accumulation, bf16-mixed, val AUROC."""
import tempfile
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from pytorch_lightning.callbacks import ModelCheckpoint, StochasticWeightAveraging
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
N_NUM, CARDS = 80, [12, 50, 300, 7, 2000, 31, 5, 90]
DIM, DEPTH, HEADS = 192, 4, 8
TRAIN, VAL, BATCH = 4096, 2048, 512


class Tokenizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(N_NUM, DIM) * 0.02)
        self.b = nn.Parameter(torch.zeros(N_NUM + len(CARDS), DIM))
        self.register_buffer("off", torch.tensor([0] + CARDS[:-1]).cumsum(0))
        self.cat = nn.Embedding(sum(CARDS), DIM)
        self.cls = nn.Parameter(torch.zeros(1, 1, DIM))

    def forward(self, xn, xc):
        t = torch.cat([xn[..., None] * self.w, self.cat(xc + self.off)], 1) + self.b
        return torch.cat([self.cls.expand(len(t), -1, -1), t], 1)


class FTT(pl.LightningModule):
    def __init__(self, lr=1e-4):
        super().__init__()
        self.save_hyperparameters()
        self.tok = Tokenizer()
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(DIM, HEADS, int(DIM * 4 / 3), dropout=0.2, activation="gelu", batch_first=True,
                                       norm_first=True) for _ in range(DEPTH))
        self.head = nn.Sequential(nn.LayerNorm(DIM), nn.ReLU(), nn.Linear(DIM, 1))
        self.val = []

    def forward(self, xn, xc):
        h = self.tok(xn, xc)
        for b in self.blocks:
            h = b(h)
        return self.head(h[:, 0]).squeeze(-1)

    def training_step(self, batch, i):
        xn, xc, y = batch
        loss = F.binary_cross_entropy_with_logits(self(xn, xc), y)
        self.log("train_loss", loss)
        if i % 4 == 0:
            print(f"epoch {self.current_epoch} batch {i} loss {loss.item():.4f}")
        return loss

    def validation_step(self, batch, i):
        xn, xc, y = batch
        self.val.append((self(xn, xc).float().cpu(), y.cpu()))

    def on_validation_epoch_end(self):
        p, y = (torch.cat(t) for t in zip(*self.val))
        auc = roc_auc_score(y.numpy(), p.numpy())
        self.log("val_auc", float(auc))
        self.val.clear()

    def configure_optimizers(self):
        skip = [p for n, p in self.named_parameters() if p.ndim < 2 or "tok" in n]
        ids = {id(p) for p in skip}
        rest = [p for p in self.parameters() if id(p) not in ids]
        opt = torch.optim.AdamW([{"params": rest, "weight_decay": 1e-5}, {"params": skip, "weight_decay": 0}],
                                lr=self.hparams.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.StepLR(opt, 1, 0.9)}


def table(n, seed):
    g = torch.Generator().manual_seed(seed)
    xn = torch.randn(n, N_NUM, generator=g)
    xc = torch.stack([torch.randint(0, c, (n,), generator=g) for c in CARDS], 1)
    y = ((xn[:, :5].sum(1) + 0.3 * torch.randn(n, generator=g)) > 0).float()
    return TensorDataset(xn, xc, y)


def main():
    pl.seed_everything(5, verbose=False)
    with tempfile.TemporaryDirectory() as d:
        trainer = pl.Trainer(
            accelerator="cuda", devices=1, max_epochs=2, precision="bf16-mixed", accumulate_grad_batches=2,
            gradient_clip_val=1.0, limit_train_batches=6, num_sanity_val_steps=1, logger=False, default_root_dir=d,
            enable_progress_bar=False, enable_model_summary=False,
            callbacks=[StochasticWeightAveraging(swa_lrs=1e-4, swa_epoch_start=1),
                       ModelCheckpoint(dirpath=d, monitor="val_auc", mode="max", save_top_k=1)])
        trainer.fit(FTT(), DataLoader(table(TRAIN, 1), BATCH, shuffle=True), DataLoader(table(VAL, 2), 2 * BATCH))
        print("val auc", trainer.callback_metrics["val_auc"].item())
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
