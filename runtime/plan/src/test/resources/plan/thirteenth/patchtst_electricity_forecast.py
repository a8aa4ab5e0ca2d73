"""Channel-independent PatchTST for electricity load forecasting, OneCycle schedule, early stopping and best-state restore."""
import copy
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Params:
    channels: int = 64
    lookback: int = 336
    horizon: int = 96
    patch: int = 16
    stride: int = 8
    d: int = 128
    heads: int = 8
    layers: int = 3
    batch: int = 16
    epochs: int = 2
    train_windows: int = 64
    seed: int = 2021


class Load(Dataset):
    def __init__(self, p, n, offset):
        rng = np.random.default_rng(p.seed)
        total = p.lookback + p.horizon + n * 3 + offset
        t = np.arange(total)[:, None]
        daily = np.sin(2 * np.pi * t / 24 + rng.uniform(0, 6, p.channels))
        weekly = 0.5 * np.sin(2 * np.pi * t / 168 + rng.uniform(0, 6, p.channels))
        walk = rng.normal(0, 0.03, (total, p.channels)).cumsum(0)
        self.x = torch.tensor(daily + weekly + walk, dtype=torch.float32)
        self.p, self.n, self.offset = p, n, offset

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        s = self.offset + 3 * i
        m = s + self.p.lookback
        return self.x[s:m], self.x[m : m + self.p.horizon]


class RevIN(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.g, self.b = nn.Parameter(torch.ones(c)), nn.Parameter(torch.zeros(c))

    def norm(self, x):
        self.mu = x.mean(1, keepdim=True).detach()
        self.sd = (x.var(1, keepdim=True, unbiased=False) + 1e-5).sqrt().detach()
        return (x - self.mu) / self.sd * self.g + self.b

    def denorm(self, y):
        return (y - self.b) / (self.g + 1e-8) * self.sd + self.mu


class PatchTST(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
        self.n_patch = (p.lookback - p.patch) // p.stride + 2
        self.revin = RevIN(p.channels)
        self.pad = nn.ReplicationPad1d((0, p.stride))
        self.proj = nn.Linear(p.patch, p.d)
        self.pos = nn.Parameter(torch.randn(self.n_patch, p.d) * 0.02)
        layer = nn.TransformerEncoderLayer(p.d, p.heads, 2 * p.d, dropout=0.2, activation="gelu", batch_first=True)
        self.enc = nn.TransformerEncoder(layer, p.layers)
        self.head = nn.Sequential(nn.Flatten(-2), nn.Dropout(0.1), nn.Linear(self.n_patch * p.d, p.horizon))

    def forward(self, x):
        b = x.size(0)
        x = self.revin.norm(x).transpose(1, 2)
        x = self.pad(x).unfold(-1, self.p.patch, self.p.stride)
        x = self.proj(x) + self.pos
        x = self.enc(x.flatten(0, 1))
        y = self.head(x).view(b, self.p.channels, -1).transpose(1, 2)
        return self.revin.denorm(y)


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    se = ae = n = 0.0
    for x, y in loader:
        err = model(x.to(device)) - y.to(device)
        se += err.square().sum().item()
        ae += err.abs().sum().item()
        n += err.numel()
    return se / n, ae / n


def main():
    p = Params()
    torch.manual_seed(p.seed)
    device = "cuda"
    train = DataLoader(Load(p, p.train_windows, 0), p.batch, shuffle=True, drop_last=True)
    val = DataLoader(Load(p, p.batch * 2, p.train_windows * 3), p.batch * 2)
    model = PatchTST(p).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-3, total_steps=p.epochs * len(train), pct_start=0.3)
    best, best_state, patience = float("inf"), None, 1
    for epoch in range(p.epochs):
        model.train()
        tot = 0.0
        for x, y in train:
            loss = nn.functional.huber_loss(model(x.to(device)), y.to(device))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        mse, mae = evaluate(model, val, device)
        print(f"epoch {epoch} train {tot / len(train):.4f} val mse {mse:.4f} mae {mae:.4f}")
        if mse < best:
            best, best_state = mse, copy.deepcopy(model.state_dict())
        else:
            patience -= 1
            if patience < 0:
                break
    model.load_state_dict(best_state)
    print("restored", evaluate(model, val, device)[0], f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
