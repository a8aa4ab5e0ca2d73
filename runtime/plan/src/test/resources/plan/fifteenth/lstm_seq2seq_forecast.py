# Encoder-decoder LSTM for multivariate time series (teacher forcing, attention over the encoder states)
import argparse
import math

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class WindowDataset(Dataset):
    def __init__(self, series, lookback, horizon, stride):
        self.series, self.lb, self.h = series, lookback, horizon
        self.starts = np.arange(0, len(series) - lookback - horizon, stride)

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        s = self.starts[i]
        return self.series[s:s + self.lb], self.series[s + self.lb:s + self.lb + self.h]


def synth_series(length, channels, rng):
    t = np.arange(length)[:, None]
    period = rng.uniform(20, 300, (1, channels))
    x = np.sin(2 * math.pi * t / period) + 0.3 * np.sin(2 * math.pi * t / 24) + 0.002 * t / length
    return torch.from_numpy((x + 0.1 * rng.standard_normal(x.shape)).astype(np.float32))


class Encoder(nn.Module):
    def __init__(self, n_in, hidden, layers, dropout):
        super().__init__()
        self.lstm = nn.LSTM(n_in, hidden, layers, batch_first=True, dropout=dropout)

    def forward(self, x):
        return self.lstm(x)


class AttnDecoder(nn.Module):
    def __init__(self, n_out, hidden, layers, dropout):
        super().__init__()
        self.lstm = nn.LSTM(n_out + hidden, hidden, layers, batch_first=True, dropout=dropout)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.out = nn.Linear(2 * hidden, n_out)

    def forward(self, y, state, memory):
        q = self.query(state[0][-1]).unsqueeze(1)
        attn = torch.softmax(q @ memory.transpose(1, 2) / math.sqrt(memory.size(-1)), dim=-1)
        ctx = attn @ memory
        o, state = self.lstm(torch.cat([y, ctx], dim=-1), state)
        return self.out(torch.cat([o, ctx], dim=-1)), state


class Seq2Seq(nn.Module):
    def __init__(self, channels, hidden, layers=2, dropout=0.1):
        super().__init__()
        self.encoder = Encoder(channels, hidden, layers, dropout)
        self.decoder = AttnDecoder(channels, hidden, layers, dropout)

    def forward(self, x, horizon, target=None, tf_ratio=0.0):
        memory, state = self.encoder(x)
        y = x[:, -1:]
        outs = []
        for t in range(horizon):
            pred, state = self.decoder(y, state, memory)
            outs.append(pred)
            use_tf = target is not None and torch.rand(1).item() < tf_ratio
            y = target[:, t:t + 1] if use_tf else pred
        return torch.cat(outs, dim=1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--channels", type=int, default=32)
    ap.add_argument("--lookback", type=int, default=168)
    ap.add_argument("--horizon", type=int, default=24)
    ap.add_argument("--hidden", type=int, default=384)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--epochs", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    dev = torch.device("cuda")
    series = synth_series(3000, args.channels, rng)
    mean, std = series[:2400].mean(0), series[:2400].std(0)
    series = (series - mean) / std
    train = DataLoader(WindowDataset(series[:2400], args.lookback, args.horizon, 5), args.batch, shuffle=True, drop_last=True)
    val = DataLoader(WindowDataset(series[2000:], args.lookback, args.horizon, 8), args.batch)
    model = Seq2Seq(args.channels, args.hidden).to(dev)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)
    loss_fn = nn.SmoothL1Loss()
    for epoch in range(args.epochs):
        model.train()
        tf_ratio, tot = 0.8 * 0.5 ** epoch, 0.0
        for x, y in train:
            x, y = x.to(dev), y.to(dev)
            loss = loss_fn(model(x, args.horizon, y, tf_ratio), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            tot += loss.item()
        model.eval()
        with torch.no_grad():
            maes = [(model(x.to(dev), args.horizon).cpu() - y).abs().mean().item() for x, y in val]
        sched.step()
        print(f"epoch {epoch} tf {tf_ratio:.2f} train {tot / len(train):.4f} val MAE {np.mean(maes):.4f}")
    print(f"peak allocated {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB, reserved {torch.cuda.max_memory_reserved() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
