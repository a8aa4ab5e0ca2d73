"""PatchTST-like forecaster over 96 electricity meters, sliding windows, RevIN, channel independence."""
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class C:
    series: int = 96
    hours: int = 4000
    lookback: int = 512
    horizon: int = 96
    patch: int = 16
    stride: int = 8
    d: int = 128
    heads: int = 8
    layers: int = 3
    ff: int = 256
    batch: int = 10
    lr: float = 1e-3
    steps: int = 6
    val_windows: int = 24
    dev: str = "cuda"


def make_series(c, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(c.hours)[:, None]
    amp, ph = rng.uniform(0.5, 2, (2, c.series)), rng.uniform(0, 6.28, (2, c.series))
    x = amp[0] * np.sin(2 * np.pi * t / 24 + ph[0]) + amp[1] * np.sin(2 * np.pi * t / 168 + ph[1])
    return (x + 0.3 * rng.standard_normal(x.shape) + 0.0003 * t).astype(np.float32)


class Windows(Dataset):
    def __init__(self, arr, c, lo, hi):
        self.a, self.c = torch.from_numpy(arr[lo:hi]), c

    def __len__(self):
        return len(self.a) - self.c.lookback - self.c.horizon + 1

    def __getitem__(self, i):
        m = i + self.c.lookback
        return self.a[i:m].t(), self.a[m : m + self.c.horizon].t()


class RevIN(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.g, self.b = nn.Parameter(torch.ones(n, 1)), nn.Parameter(torch.zeros(n, 1))

    def norm(self, x):
        self.mu = x.mean(-1, keepdim=True).detach()
        self.sd = x.std(-1, keepdim=True).detach() + 1e-5
        return (x - self.mu) / self.sd * self.g + self.b

    def denorm(self, y):
        return (y - self.b) / (self.g + 1e-10) * self.sd + self.mu


class BNLayer(nn.Module):
    """transformer layer with batch norm instead of layer norm"""

    def __init__(self, c):
        super().__init__()
        self.att = nn.MultiheadAttention(c.d, c.heads, dropout=0.1, batch_first=True)
        self.n1, self.n2 = nn.BatchNorm1d(c.d), nn.BatchNorm1d(c.d)
        self.ff = nn.Sequential(nn.Linear(c.d, c.ff), nn.GELU(), nn.Dropout(0.2), nn.Linear(c.ff, c.d))
        self.dp = nn.Dropout(0.2)

    def forward(self, x):
        x = self.n1((x + self.dp(self.att(x, x, x, need_weights=False)[0])).transpose(1, 2)).transpose(1, 2)
        return self.n2((x + self.dp(self.ff(x))).transpose(1, 2)).transpose(1, 2)


class PatchTST(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.n_patch = (c.lookback - c.patch) // c.stride + 2
        self.rev = RevIN(c.series)
        self.pad = nn.ReplicationPad1d((0, c.stride))
        self.emb = nn.Linear(c.patch, c.d)
        self.pos = nn.Parameter(torch.empty(self.n_patch, c.d).uniform_(-0.02, 0.02))
        self.layers = nn.ModuleList(BNLayer(c) for _ in range(c.layers))
        self.head = nn.Sequential(nn.Flatten(-2), nn.Dropout(0.1), nn.Linear(self.n_patch * c.d, c.horizon))

    def forward(self, x):
        b, n, _ = x.shape
        x = self.pad(self.rev.norm(x)).unfold(-1, self.c.patch, self.c.stride)
        z = self.emb(x.reshape(b * n, self.n_patch, self.c.patch)) + self.pos
        for l in self.layers:
            z = l(z)
        return self.rev.denorm(self.head(z.view(b, n, self.n_patch, self.c.d)))


def main():
    c = C()
    torch.manual_seed(2021)
    data = make_series(c)
    cut = int(c.hours * 0.8)
    mu, sd = data[:cut].mean(0), data[:cut].std(0)
    data = (data - mu) / sd
    train = DataLoader(Windows(data, c, 0, cut), c.batch, shuffle=True, drop_last=True)
    val_set = Windows(data, c, cut - c.lookback, c.hours)
    val = DataLoader(torch.utils.data.Subset(val_set, range(c.val_windows)), c.batch)
    net = PatchTST(c).to(c.dev)
    opt = torch.optim.Adam(net.parameters(), lr=c.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, c.lr, total_steps=c.steps, pct_start=0.3)
    crit = nn.HuberLoss()
    with TemporaryDirectory() as d:
        for i, (x, y) in zip(range(c.steps), train):
            loss = crit(net(x.to(c.dev)), y.to(c.dev))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            print(f"step {i} huber {loss.item():.4f}")
        torch.save(net.state_dict(), Path(d) / "patchtst.pt")
        net.load_state_dict(torch.load(Path(d) / "patchtst.pt", weights_only=True))
    net.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for x, y in val:
            y = y.to(c.dev)
            se += (net(x.to(c.dev)) - y).square().sum().item()
            n += y.numel()
    print(f"val mse {se / n:.4f}, {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB at most")


main()
