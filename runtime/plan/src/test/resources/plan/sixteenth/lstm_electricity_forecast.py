"""Encoder-decoder LSTM for load forecasting on sliding windows, with early stopping."""
import copy
import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

HISTORY, HORIZON = 336, 48
N_SERIES, LENGTH = 12, 1200
HIDDEN, LAYERS = 256, 2
BATCH = 256
MAX_STEPS_PER_EPOCH = 3
EPOCHS = 3
PATIENCE = 2


def synthetic_load(seed):
    rng = np.random.default_rng(seed)
    t = np.arange(LENGTH)
    rows = []
    for _ in range(N_SERIES):
        day = np.sin(2 * np.pi * (t / 24 + rng.random()))
        week = 0.4 * np.sin(2 * np.pi * (t / 168 + rng.random()))
        rows.append(1.5 + day + week + 0.002 * t * rng.random() + 0.1 * rng.standard_normal(LENGTH))
    return np.stack(rows).astype(np.float32), t


class Windows(Dataset):
    def __init__(self, values, t, start, end, mean, std):
        self.v = torch.from_numpy((values - mean) / std)
        hod, dow = (t % 24) / 23 - 0.5, (t // 24 % 7) / 6 - 0.5
        self.cov = torch.tensor(np.stack([hod, dow], -1), dtype=torch.float32)
        self.index = [(s, o) for s in range(values.shape[0]) for o in range(start, end - HISTORY - HORIZON, 3)]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        s, o = self.index[i]
        m, e = o + HISTORY, o + HISTORY + HORIZON
        past = torch.cat([self.v[s, o:m, None], self.cov[o:m]], -1)
        return past, self.cov[m:e], self.v[s, m:e]


class Seq2SeqLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.LSTM(3, HIDDEN, LAYERS, batch_first=True, dropout=0.1)
        self.decoder = nn.LSTM(3, HIDDEN, LAYERS, batch_first=True, dropout=0.1)
        self.mu = nn.Linear(HIDDEN, 1)
        self.sigma = nn.Sequential(nn.Linear(HIDDEN, 1), nn.Softplus())

    def forward(self, past, future_cov, target=None):
        _, state = self.encoder(past)
        last = past[:, -1:, :1]
        if target is not None:  # teacher forcing
            prev = torch.cat([last, target[:, :-1, None]], 1)
            h, _ = self.decoder(torch.cat([prev, future_cov], -1), state)
            return self.mu(h).squeeze(-1), self.sigma(h).squeeze(-1) + 1e-4
        preds = []
        for k in range(future_cov.size(1)):
            h, state = self.decoder(torch.cat([last, future_cov[:, k:k + 1]], -1), state)
            last = self.mu(h)
            preds.append(last)
        return torch.cat(preds, 1).squeeze(-1)


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    values, t = synthetic_load(0)
    cut = int(LENGTH * 0.65)
    mean, std = values[:, :cut].mean(), values[:, :cut].std()
    train = DataLoader(Windows(values, t, 0, cut, mean, std), BATCH, shuffle=True, drop_last=True)
    val = DataLoader(Windows(values, t, cut - HISTORY, LENGTH, mean, std), BATCH)
    model = Seq2SeqLSTM().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    nll = nn.GaussianNLLLoss()
    best, bad, best_state = float("inf"), 0, None
    for epoch in range(EPOCHS):
        model.train()
        for step, (past, cov, y) in enumerate(train):
            if step == MAX_STEPS_PER_EPOCH:
                break
            past, cov, y = past.to(device), cov.to(device), y.to(device)
            mu, sigma = model(past, cov, y)
            loss = nll(mu, y, sigma**2)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        scheduler.step()
        model.eval()
        err = n = 0.0
        with torch.no_grad():
            for past, cov, y in val:
                pred = model(past.to(device), cov.to(device))
                err += (pred - y.to(device)).abs().sum().item()
                n += y.numel()
        print(f"epoch {epoch} nll {loss.item():.4f} val MAE {err / n:.4f}")
        if err / n < best:
            best, bad, best_state = err / n, 0, copy.deepcopy(model.state_dict())
        else:
            bad += 1
            if bad >= PATIENCE:
                break
    with tempfile.TemporaryDirectory() as d:
        torch.save(best_state, os.path.join(d, "best.pt"))
        model.load_state_dict(torch.load(os.path.join(d, "best.pt"), map_location=device))
    print("best", best, "peak MiB", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
