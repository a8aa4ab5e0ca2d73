import math
import os
import tempfile
import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import weight_norm
from torch.utils.data import DataLoader, Dataset

# multi-horizon probabilistic forecasting with a TCN (quantile loss)
CONTEXT, HORIZON, CHANNELS = 1024, 96, 32
QUANTILES = (0.1, 0.5, 0.9)


class Series(Dataset):
    def __init__(self, n):
        t = torch.arange(CONTEXT + HORIZON).float()
        period = torch.rand(n, CHANNELS, 1) * 150 + 20
        phase = torch.rand(n, CHANNELS, 1) * 2 * math.pi
        self.x = torch.sin(2 * math.pi * t / period + phase) + 0.1 * torch.randn(n, CHANNELS, CONTEXT + HORIZON)

    def __len__(self):
        return self.x.size(0)

    def __getitem__(self, i):
        return self.x[i, :, :CONTEXT], self.x[i, :, CONTEXT:]


class Block(nn.Module):
    def __init__(self, ci, co, k, d, p=0.1):
        super().__init__()
        self.pad = (k - 1) * d
        self.c1 = weight_norm(nn.Conv1d(ci, co, k, dilation=d, padding=self.pad))
        self.c2 = weight_norm(nn.Conv1d(co, co, k, dilation=d, padding=self.pad))
        self.act, self.drop = nn.GELU(), nn.Dropout(p)
        self.res = nn.Conv1d(ci, co, 1) if ci != co else None

    def forward(self, x):
        h = self.drop(self.act(self.c1(x)[..., :-self.pad]))
        h = self.drop(self.act(self.c2(h)[..., :-self.pad]))
        return h + (x if self.res is None else self.res(x))


class TCN(nn.Module):
    def __init__(self, width=256, depth=8, k=3):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(CHANNELS if i == 0 else width, width, k, 2 ** i) for i in range(depth)])
        self.head = nn.Linear(width, HORIZON * CHANNELS * len(QUANTILES))

    def forward(self, x):
        mu, sd = x.mean(-1, keepdim=True), x.std(-1, keepdim=True) + 1e-5
        h = self.blocks((x - mu) / sd)[..., -1]
        y = self.head(h).view(-1, CHANNELS, HORIZON, len(QUANTILES))
        return y * sd[..., None] + mu[..., None]


def pinball(pred, y):
    q = torch.tensor(QUANTILES, device=pred.device)
    e = y[..., None] - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


class Forecaster:
    def __init__(self, lr=1e-3):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = TCN().to(self.device)
        self.opt = torch.optim.RAdam(self.net.parameters(), lr=lr, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.CyclicLR(self.opt, 1e-4, lr, step_size_up=2, cycle_momentum=False)
        self.dir = tempfile.TemporaryDirectory()

    def run(self, loader, train):
        self.net.train(train)
        total = 0.0
        with torch.set_grad_enabled(train):
            for x, y in loader:
                x, y = x.to(self.device), y.to(self.device)
                loss = pinball(self.net(x), y)
                if train:
                    self.opt.zero_grad()
                    loss.backward()
                    nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                    self.opt.step()
                    self.sched.step()
                total += loss.item()
        return total / len(loader)

    def fit(self, train, val, epochs=2):
        best = float("inf")
        for ep in range(epochs):
            tr, va = self.run(train, True), self.run(val, False)
            print(f"[epoch {ep}] train {tr:.4f} val {va:.4f}")
            if va < best:
                best = va
                torch.save(self.net.state_dict(), os.path.join(self.dir.name, "best.pt"))
        self.net.load_state_dict(torch.load(os.path.join(self.dir.name, "best.pt"), weights_only=True))
        return best


if __name__ == "__main__":
    torch.manual_seed(0)
    f = Forecaster()
    best = f.fit(DataLoader(Series(384), 128, shuffle=True, drop_last=True), DataLoader(Series(128), 64))
    print("best", best)
