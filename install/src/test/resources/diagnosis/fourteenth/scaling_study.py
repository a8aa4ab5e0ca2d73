# limit: 3.0
import time

import torch
import torch.nn as nn

torch.manual_seed(88)

CONFIGS = {
    "S": dict(d=512, layers=4, experts=4),
    "M": dict(d=768, layers=6, experts=6),
    "L": dict(d=1024, layers=8, experts=18),
}


class Expert(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.up, self.down = nn.Linear(d, 4 * d, device="cuda"), nn.Linear(4 * d, d, device="cuda")

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


class MoELayer(nn.Module):
    def __init__(self, d, experts):
        super().__init__()
        self.gate = nn.Linear(d, experts, device="cuda")
        self.experts = nn.ModuleList(Expert(d) for _ in range(experts))

    def forward(self, x):
        p, idx = self.gate(x).softmax(-1).max(-1)
        y = torch.zeros_like(x)
        for k, e in enumerate(self.experts):
            sel = (idx == k).nonzero().squeeze(1)
            y = y.index_add(0, sel, e(x[sel]) * p[sel, None])
        return x + y


class MoE(nn.Module):
    def __init__(self, d, layers, experts):
        super().__init__()
        self.layers = nn.Sequential(*[MoELayer(d, experts) for _ in range(layers)])
        self.out = nn.Linear(d, d, device="cuda")

    def forward(self, x):
        return self.out(self.layers(x))


def study(name, cfg, steps=20):
    t0 = time.time()
    model = MoE(**cfg)
    n = sum(p.numel() for p in model.parameters())
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    for _ in range(steps):
        x = torch.randn(256, cfg["d"], device="cuda")
        loss = (model(x) - x.roll(1, 1)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return n, loss.item(), time.time() - t0


for name, cfg in CONFIGS.items():
    n, loss, sec = study(name, cfg)
    print(f"{name}: {n / 1e6:.0f}M parameters, loss {loss:.4f}, {sec:.1f}s")
