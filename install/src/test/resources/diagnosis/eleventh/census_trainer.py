# limit: 1.5
import gc

import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self, width=2048, lr=1e-3):
        self.net = nn.Sequential(
            nn.Linear(300, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 8)
        ).to("cuda")
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.loss = nn.CrossEntropyLoss()

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def clean(self):
        gc.collect()
        torch.cuda.empty_cache()

    def fit(self, epochs, steps, bs):
        for e in range(epochs):
            total = 0.0
            for _ in range(steps):
                x = torch.randn(bs, 300, device="cuda")
                y = x[:, :8].argmax(1)
                total += self.step(x, y)
                del x, y
                self.clean()
            print(f"epoch {e}: {total / steps:.4f}")


Trainer().fit(epochs=3, steps=25, bs=8192)
