"""Global probabilistic forecasting: dilated causal TCN with quantile heads, rolling-origin evaluation."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import weight_norm
from torch.utils.data import DataLoader, Dataset

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def synth(n_series, length, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length).float()
    amp = torch.rand(n_series, 3, generator=g) * 2
    ph = torch.rand(n_series, 3, generator=g) * 6.28
    s = torch.zeros(n_series, length)
    for k, period in enumerate((24.0, 168.0, 720.0)):
        s += amp[:, k:k + 1] * torch.sin(2 * 3.14159 * t / period + ph[:, k:k + 1])
    return s + 0.2 * torch.randn(n_series, length, generator=g).cumsum(1) * 0.1 + 0.3 * torch.randn(n_series, length, generator=g)


class Windows(Dataset):
    def __init__(self, series, ctx, hor, stride):
        self.series, self.ctx, self.hor = series, ctx, hor
        self.index = [(i, j) for i in range(len(series)) for j in range(0, series.size(1) - ctx - hor + 1, stride)]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        i, j = self.index[k]
        w = self.series[i, j:j + self.ctx + self.hor]
        x, y = w[:self.ctx], w[self.ctx:]
        mu, sd = x.mean(), x.std() + 1e-4
        hour = torch.arange(j, j + self.ctx).float()
        feats = torch.stack([(x - mu) / sd, torch.sin(hour * 0.2618), torch.cos(hour * 0.2618)])
        return feats, (y - mu) / sd


class TemporalBlock(nn.Module):
    def __init__(self, ci, co, k, dil, p):
        super().__init__()
        self.pad = (k - 1) * dil
        self.c1 = weight_norm(nn.Conv1d(ci, co, k, dilation=dil))
        self.c2 = weight_norm(nn.Conv1d(co, co, k, dilation=dil))
        self.skip = nn.Conv1d(ci, co, 1) if ci != co else nn.Identity()
        self.p = p

    def forward(self, x):
        h = F.dropout(F.relu(self.c1(F.pad(x, (self.pad, 0)))), self.p, self.training)
        h = F.dropout(F.relu(self.c2(F.pad(h, (self.pad, 0)))), self.p, self.training)
        return F.relu(h + self.skip(x))


class TCN(nn.Module):
    def __init__(self, width, hor, levels=8, k=3):
        super().__init__()
        self.blocks = nn.Sequential(*[TemporalBlock(3 if i == 0 else width, width, k, 2 ** i, 0.1) for i in range(levels)])
        self.head = nn.Linear(width, hor * len(QUANTILES))
        self.hor = hor

    def forward(self, x):
        return self.head(self.blocks(x)[..., -1]).view(len(x), self.hor, len(QUANTILES))


def pinball(pred, y):
    q = pred.new_tensor(QUANTILES)
    e = y[..., None] - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ctx", type=int, default=672)
    ap.add_argument("--hor", type=int, default=96)
    ap.add_argument("--width", type=int, default=96)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--max-steps", type=int, default=6)
    ap.add_argument("--series", type=int, default=200)
    a = ap.parse_args()
    torch.manual_seed(55)
    data = synth(a.series, 2400, 55)
    train = DataLoader(Windows(data[:, :1900], a.ctx, a.hor, 97), batch_size=a.batch, shuffle=True, drop_last=True)
    test = DataLoader(Windows(data[:, 1900 - a.ctx:], a.ctx, a.hor, 200), batch_size=a.batch)
    net = TCN(a.width, a.hor).to("cuda")
    opt = torch.optim.Adamax(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=3)
    for step, (x, y) in zip(range(a.max_steps), train):
        net.train()
        loss = pinball(net(x.to("cuda")), y.to("cuda"))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"step {step} pinball {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    net.eval()
    cover, n = 0.0, 0
    with torch.inference_mode():
        for x, y in test:
            p, y = net(x.to("cuda")), y.to("cuda")
            cover += ((y >= p[..., 0]) & (y <= p[..., -1])).float().sum().item()
            n += y.numel()
    print(f"coverage of the 90% interval {cover / n:.3f}")


if __name__ == "__main__":
    main()
