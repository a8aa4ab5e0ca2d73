# limit: 1
"""Anomaly score of a pump: compares each second with the embedding of the last minute."""
from collections import deque
import torch
from torch import nn

device = torch.device("cuda")
RATE, SENSORS, WINDOW = 8192, 24, 60


class SecondEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(SENSORS, 64, 9, 1, 4), nn.ReLU(),
            nn.Conv1d(64, 64, 9, 2, 4), nn.ReLU(),
            nn.Conv1d(64, 128, 9, 1, 4))

    def forward(self, x):
        return self.net(x)


class Monitor:
    def __init__(self):
        self.encoder = SecondEncoder().to(device).eval()
        self.recent = deque(maxlen=WINDOW)
        self.scores = []

    @torch.no_grad()
    def feed(self, second):
        now = self.encoder(second.to(device))
        if self.recent:
            usual = torch.stack([r.mean(-1) for r in self.recent]).mean(0)
            self.scores.append((now.mean(-1) - usual).norm().item())
        self.recent.append(now)

    def alarm(self):
        part = torch.tensor(self.scores[-WINDOW:])
        return len(part) > 10 and float(part[-1]) > float(part.mean() + 4 * part.std())


def signal(seconds):
    for n in range(seconds):
        fault = 3.0 if n % 97 == 96 else 1.0
        yield n, fault * torch.randn(1, SENSORS, RATE)


monitor, alarms = Monitor(), 0
for n, second in signal(600):
    monitor.feed(second)
    alarms += bool(monitor.alarm())
    if n % 60 == 0:
        print("minute", n // 60, "alarms", alarms, "window", len(monitor.recent))
