# Multivariate forecasting with a channel-independent patch transformer (PatchTST idea), RevIN, sliding windows
import argparse
import math
import time
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader


class WindowDataset(Dataset):
    def __init__(self, series, seq_len, pred_len, stride=1):
        self.x, self.L, self.H, self.stride = series, seq_len, pred_len, stride

    def __len__(self):
        return (len(self.x) - self.L - self.H) // self.stride + 1

    def __getitem__(self, i):
        s = i * self.stride
        return self.x[s:s + self.L], self.x[s + self.L:s + self.L + self.H]


class RevIN(nn.Module):
    def __init__(self, channels, eps=1e-5):
        super().__init__()
        self.g = nn.Parameter(torch.ones(channels))
        self.b = nn.Parameter(torch.zeros(channels))
        self.eps = eps

    def norm(self, x):
        self.mu = x.mean(1, keepdim=True).detach()
        self.sd = (x.var(1, keepdim=True, unbiased=False) + self.eps).sqrt().detach()
        return (x - self.mu) / self.sd * self.g + self.b

    def denorm(self, x):
        return (x - self.b) / (self.g + self.eps ** 2) * self.sd + self.mu


class PatchModel(nn.Module):
    def __init__(self, channels, seq_len, pred_len, patch=16, stride=8, d=128, heads=16, layers=3, dff=256, drop=0.2):
        super().__init__()
        self.patch, self.stride = patch, stride
        self.n = (seq_len - patch) // stride + 2
        self.revin = RevIN(channels)
        self.pad = nn.ReplicationPad1d((0, stride))
        self.embed = nn.Linear(patch, d)
        self.pos = nn.Parameter(torch.zeros(self.n, d).uniform_(-0.02, 0.02))
        layer = nn.TransformerEncoderLayer(d, heads, dff, drop, "gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.head = nn.Sequential(nn.Flatten(-2), nn.Linear(d * self.n, pred_len), nn.Dropout(drop))

    def forward(self, x):                                   # (B, L, C)
        B, _, C = x.shape
        z = self.revin.norm(x).transpose(1, 2)
        z = self.pad(z).unfold(-1, self.patch, self.stride)   # (B, C, N, P)
        z = self.embed(z) + self.pos
        z = self.encoder(z.reshape(B * C, self.n, -1))
        y = self.head(z).view(B, C, -1).transpose(1, 2)
        return self.revin.denorm(y)


def make_series(T, C):
    t = torch.arange(T).float()[:, None]
    period = torch.randint(12, 200, (1, C)).float()
    phase = torch.rand(1, C) * 2 * math.pi
    trend = torch.randn(1, C) * 1e-3
    return torch.sin(2 * math.pi * t / period + phase) + trend * t + 0.2 * torch.randn(T, C)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--channels", type=int, default=21)
    ap.add_argument("--seq_len", type=int, default=336)
    ap.add_argument("--pred_len", type=int, default=96)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--iters", type=int, default=5)
    ap.add_argument("--eval_batch", type=int, default=128)
    args = ap.parse_args()
    torch.manual_seed(2021)
    dev = torch.device("cuda")
    data = make_series(4000, args.channels)
    train, test = data[:3000], data[3000 - args.seq_len:]
    mu, sd = train.mean(0), train.std(0)
    train, test = (train - mu) / sd, (test - mu) / sd
    dl = DataLoader(WindowDataset(train, args.seq_len, args.pred_len), args.batch, shuffle=True, drop_last=True)
    tl = DataLoader(WindowDataset(test, args.seq_len, args.pred_len, 4), args.eval_batch)
    model = PatchModel(args.channels, args.seq_len, args.pred_len).to(dev)
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-3, total_steps=args.iters, pct_start=0.3)
    for i, (x, y) in enumerate(dl):
        if i >= args.iters:
            break
        tic = time.time()
        x, y = x.to(dev), y.to(dev)
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"iter {i} mse {loss.item():.4f} ({time.time() - tic:.2f}s)")
    model.eval()
    se = ae = n = 0
    with torch.no_grad():
        for x, y in tl:
            d = model(x.to(dev)) - y.to(dev)
            se, ae, n = se + d.square().sum().item(), ae + d.abs().sum().item(), n + d.numel()
    print(f"test mse {se / n:.4f} mae {ae / n:.4f}")
    print("peak", round(torch.cuda.max_memory_allocated() / 2 ** 30, 3), "GiB")


if __name__ == "__main__":
    main()
