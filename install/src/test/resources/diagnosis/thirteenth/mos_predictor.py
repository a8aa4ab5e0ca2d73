# limit: 1.0
"""Predict the mean opinion score of speech clips from log-mel statistics."""
import math

import torch
from torch import nn

torch.manual_seed(30)
device = torch.device("cuda")


class MOSNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(40, 64, 5, stride=2), nn.BatchNorm1d(64), nn.ReLU(),
            nn.Conv1d(64, 64, 5, stride=2), nn.BatchNorm1d(64), nn.ReLU())
        self.fc = nn.Linear(64, 1)

    def forward(self, mel):
        return 1 + 4 * torch.sigmoid(self.fc(self.conv(mel).mean(-1)))


class Metrics:
    def __init__(self):
        self.reset()

    def reset(self):
        self.pred, self.true = [], []

    def update(self, pred, true):
        self.pred.append(pred.detach())
        self.true.append(true)

    def rmse(self):
        p, t = torch.cat(self.pred), torch.cat(self.true)
        return math.sqrt(((p - t) ** 2).mean().item())


def clips(n, bs):
    for s in range(0, n, bs):
        mel = torch.randn(bs, 40, 100, device=device)
        yield mel, (3 + mel.mean((1, 2)) * 20).clamp(1, 5)


def fit(epochs=3, n_train=12800, n_val=20480):
    net = MOSNet().to(device)
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    m = Metrics()
    for ep in range(epochs):
        net.train()
        for mel, mos in clips(n_train, 256):
            loss = (net(mel).squeeze(-1) - mos).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        net.eval()
        m.reset()
        with torch.no_grad():
            for mel, mos in clips(n_val, 512):
                m.update(net(mel), mos)
        print(f"epoch {ep} mae {loss.item():.3f}", flush=True)
        print(f"   val rmse {m.rmse():.3f}", flush=True)


fit()
