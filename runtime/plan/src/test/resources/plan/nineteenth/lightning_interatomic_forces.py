"""A SchNet-like potential trained on energies and forces (forces = -dE/dx, so the loss needs second derivatives).
PyTorch Lightning, inference_mode off because validation needs gradients too."""
import logging
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
HIDDEN, BLOCKS, RBF, CUTOFF = 160, 4, 50, 5.0
ATOMS = (20, 44)
BATCH, N_TRAIN, N_VAL = 48, 192, 96


def ljones(pos, q):
    d = torch.cdist(pos, pos) + torch.eye(len(pos)) * 1e3
    w = 0.2 * (q[:, None] * q[None]).float()
    return (w * ((1.6 / d) ** 6 - (1.6 / d) ** 3)).sum() / 2


class Clusters(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            k = int(torch.randint(ATOMS[0], ATOMS[1] + 1, (1,), generator=g))
            lattice = torch.stack(torch.meshgrid(*[torch.arange(4.0)] * 3, indexing="ij"), -1).view(-1, 3)[:k] * 1.8
            pos = (lattice + 0.15 * torch.randn(k, 3, generator=g)).requires_grad_(True)
            q = torch.randint(1, 9, (k,), generator=g)
            e = ljones(pos, q)
            f = -torch.autograd.grad(e, pos)[0]
            d = torch.cdist(pos.detach(), pos.detach())
            ei = ((d < CUTOFF) & (d > 0)).nonzero().t()
            self.items.append((q, pos.detach(), e.detach(), f, ei))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    q, pos, e, f, ei = zip(*items)
    n = torch.tensor([len(x) for x in q])
    shift = n.cumsum(0) - n
    return {
        "q": torch.cat(q), "pos": torch.cat(pos), "energy": torch.stack(e), "forces": torch.cat(f),
        "edges": torch.cat([x + s for x, s in zip(ei, shift)], 1), "graph": torch.arange(len(n)).repeat_interleave(n),
    }


class Interaction(nn.Module):
    def __init__(self):
        super().__init__()
        self.filt = nn.Sequential(nn.Linear(RBF, HIDDEN), nn.Softplus(), nn.Linear(HIDDEN, HIDDEN))
        self.pre = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.post = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Softplus(), nn.Linear(HIDDEN, HIDDEN))

    def forward(self, h, src, dst, rbf, cut):
        msg = self.pre(h)[src] * (self.filt(rbf) * cut)
        return h + self.post(torch.zeros_like(h).index_add(0, dst, msg))


class Potential(pl.LightningModule):
    def __init__(self, rho=0.95):
        super().__init__()
        self.rho = rho
        self.emb = nn.Embedding(10, HIDDEN)
        self.blocks = nn.ModuleList(Interaction() for _ in range(BLOCKS))
        self.out = nn.Sequential(nn.Linear(HIDDEN, HIDDEN // 2), nn.Softplus(), nn.Linear(HIDDEN // 2, 1))
        self.register_buffer("mu", torch.linspace(0, CUTOFF, RBF))

    def forward(self, b, create_graph):
        with torch.enable_grad():
            pos = b["pos"].requires_grad_(True)
            src, dst = b["edges"]
            d = (pos[dst] - pos[src]).square().sum(-1, keepdim=True).add(1e-9).sqrt()
            rbf = torch.exp(-10 * (d - self.mu).square())
            cut = 0.5 * (torch.cos(torch.pi * d / CUTOFF) + 1)
            h = self.emb(b["q"])
            for blk in self.blocks:
                h = blk(h, src, dst, rbf, cut)
            e = torch.zeros(len(b["energy"]), device=h.device).index_add(0, b["graph"], self.out(h).squeeze(-1))
            f = -torch.autograd.grad(e.sum(), pos, create_graph=create_graph)[0]
        return e, f

    def training_step(self, b, i):
        e, f = self(b, True)
        n = torch.bincount(b["graph"])
        le = ((e - b["energy"]) / n).square().mean()
        lf = (f - b["forces"]).square().mean()
        self.log("lf", lf, prog_bar=False, batch_size=len(n))
        print(f"train {i}: edges {b['edges'].shape[1]} energy {le.item():.4f} forces {lf.item():.4f}")
        return (1 - self.rho) * le + self.rho * lf

    def validation_step(self, b, i):
        e, f = self(b, False)
        self.log("val_force_mae", (f.detach() - b["forces"]).abs().mean(), batch_size=len(e))

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=5e-4, amsgrad=True, weight_decay=1e-5)
        return [opt], [torch.optim.lr_scheduler.ExponentialLR(opt, 0.95)]


if __name__ == "__main__":
    pl.seed_everything(2, verbose=False)
    trainer = pl.Trainer(
        accelerator="gpu", devices=1, max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False,
        enable_model_summary=False, inference_mode=False, gradient_clip_val=10.0, num_sanity_val_steps=0,
    )
    model = Potential()
    trainer.fit(model, DataLoader(Clusters(N_TRAIN, 1), BATCH, shuffle=True, collate_fn=collate),
                DataLoader(Clusters(N_VAL, 2), BATCH, collate_fn=collate))
    print("val force MAE", float(trainer.callback_metrics["val_force_mae"]))
    print("peak", torch.cuda.max_memory_allocated() // 2**20, "MiB")
