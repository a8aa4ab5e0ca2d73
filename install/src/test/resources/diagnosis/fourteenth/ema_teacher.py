# limit: 2.2
import copy
import math

import torch
import torch.nn as nn

torch.manual_seed(1)
device = torch.device("cuda")


class Denoiser(nn.Module):
    def __init__(self, d=1024, depth=8, tokens=128):
        super().__init__()
        self.inp = nn.Linear(64, d)
        self.time = nn.Sequential(nn.Linear(1, d), nn.SiLU(), nn.Linear(d, d))
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(d, 16, 4 * d, dropout=0.0, batch_first=True, norm_first=True)
            for _ in range(depth))
        self.out = nn.Linear(d, 64)

    def forward(self, x, t):
        h = self.inp(x) + self.time(t[:, None])[:, None]
        for b in self.blocks:
            h = b(h)
        return self.out(h)


class EMA:
    def __init__(self, model, decay=0.999):
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for e, p in zip(self.module.parameters(), model.parameters()):
            e.lerp_(p, 1 - self.decay)


class Trainer:
    ema_start = 20

    def __init__(self):
        self.model = Denoiser().to(device)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=1e-4)
        self.ema = None
        n = sum(p.numel() for p in self.model.parameters())
        print(f"{n / 1e6:.1f}M parameters")

    def step(self, i):
        x = torch.randn(4, 128, 64, device=device)
        t = torch.rand(4, device=device)
        a = torch.cos(t * math.pi / 2)[:, None, None]
        noise = torch.randn_like(x)
        pred = self.model(a * x + (1 - a ** 2).sqrt() * noise, t)
        loss = (pred - noise).pow(2).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        if i >= self.ema_start:
            if self.ema is None:
                self.ema = EMA(self.model)
            self.ema.update(self.model)
        return loss.item()

    def run(self, n):
        for i in range(n):
            l = self.step(i)
            if i % 5 == 0:
                print(i, round(l, 4))


Trainer().run(40)
