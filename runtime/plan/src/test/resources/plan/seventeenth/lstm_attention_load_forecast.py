"""
Electricity load forecasting.
Encoder-decoder LSTM with Bahdanau-ish attention, quantile (pinball) loss, scheduled sampling.
Windows slide over many series.
"""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = "cuda"
SERIES, LENGTH = 64, 2000
CONTEXT, HORIZON = 336, 48
HIDDEN, LAYERS, FEATS = 256, 2, 6
BATCH, STEPS, EPOCHS = 256, 3, 2
QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def make_series():
    rng = np.random.default_rng(0)
    t = np.arange(LENGTH)
    amp = rng.uniform(0.5, 2, (SERIES, 1))
    phase = rng.uniform(0, 24, (SERIES, 1))
    y = amp * np.sin(2 * np.pi * (t + phase) / 24) + 0.5 * np.sin(2 * np.pi * t / 168) + 0.2 * rng.standard_normal((SERIES, LENGTH))
    cov = np.stack([np.sin(2 * np.pi * t / 24), np.cos(2 * np.pi * t / 24), np.sin(2 * np.pi * t / 168),
                    np.cos(2 * np.pi * t / 168), t / LENGTH], -1)
    return torch.tensor(y, dtype=torch.float32), torch.tensor(cov, dtype=torch.float32)


class Windows(Dataset):
    def __init__(self, y, cov, start, stop, stride):
        self.y, self.cov = y, cov
        self.index = [(s, t) for s in range(len(y)) for t in range(start, stop - CONTEXT - HORIZON, stride)]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, i):
        s, t = self.index[i]
        m, e = t + CONTEXT, t + CONTEXT + HORIZON
        y, c = self.y[s], self.cov
        return torch.cat([y[t:m, None], c[t:m]], -1), c[m:e], y[m:e]


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.LSTM(FEATS, HIDDEN, LAYERS, batch_first=True, dropout=0.1)
        self.cells = nn.ModuleList([nn.LSTMCell(FEATS + HIDDEN, HIDDEN), nn.LSTMCell(HIDDEN, HIDDEN)])
        self.wq, self.wk = nn.Linear(HIDDEN, 128), nn.Linear(HIDDEN, 128)
        self.v = nn.Linear(128, 1)
        self.out = nn.Linear(2 * HIDDEN, len(QUANTILES))

    def forward(self, ctx, fut, target=None, p_teacher=0.0):
        mem, (h, c) = self.enc(ctx)
        keys = self.wk(mem)
        hs, cs = list(h.unbind(0)), list(c.unbind(0))
        prev, preds = ctx[:, -1, :1], []
        att = mem[:, -1]
        for t in range(fut.size(1)):
            x = torch.cat([prev, fut[:, t], att], -1)
            for i, cell in enumerate(self.cells):
                hs[i], cs[i] = cell(x, (hs[i], cs[i]))
                x = hs[i]
            score = self.v(torch.tanh(self.wq(x)[:, None] + keys)).softmax(1)
            att = (score * mem).sum(1)
            q = self.out(torch.cat([x, att], -1))
            preds.append(q)
            prev = q[:, 1:2]
            if target is not None and torch.rand(()) < p_teacher:
                prev = target[:, t:t + 1]
        return torch.stack(preds, 1)


def pinball(pred, y, q):
    e = y[..., None] - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


torch.manual_seed(10)
y, cov = make_series()
train = DataLoader(Windows(y, cov, 0, 1500, 7), batch_size=BATCH, shuffle=True)
test = DataLoader(Windows(y, cov, 1400, LENGTH, 48), batch_size=128)
net = Forecaster().to(device)
q = QUANTILES.to(device)
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
for epoch in range(EPOCHS):
    net.train()
    for i, batch in enumerate(train):
        if i == STEPS:
            break
        ctx, fut, tgt = (b.to(device) for b in batch)
        opt.zero_grad()
        loss = pinball(net(ctx, fut, tgt, p_teacher=0.5 ** epoch), tgt, q)
        loss.backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        opt.step()
        print(f"e{epoch} b{i} pinball {loss.item():.4f}")
    net.eval()
    with torch.no_grad():
        cover = total = 0
        for ctx, fut, tgt in test:
            out = net(ctx.to(device), fut.to(device)).cpu()
            cover += ((tgt > out[..., 0]) & (tgt < out[..., 2])).sum().item()
            total += tgt.numel()
    print(f"epoch {epoch} coverage {cover / total:.3f} peak {torch.cuda.max_memory_allocated() // 2**20} MiB")
