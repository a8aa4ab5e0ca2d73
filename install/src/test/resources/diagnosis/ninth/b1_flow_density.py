# limit: 4
"""Normalising flow for detector hits; layers start from the data's own statistics."""
import math
import torch
from torch import nn

dev = "cuda"
DIM, HIDDEN, LAYERS, EVENTS = 32, 256, 6, 400_000


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip, self.ready = flip, False
        self.loc, self.logscale = nn.Parameter(torch.zeros(DIM)), nn.Parameter(torch.zeros(DIM))
        self.net = nn.Sequential(
            nn.Linear(DIM // 2, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, DIM))

    @torch.no_grad()
    def start_from(self, x):
        self.loc.copy_(x.mean(0))
        self.logscale.copy_(x.std(0).log())
        self.ready = True

    def forward(self, x):
        if not self.ready:
            self.start_from(x)
        x = (x - self.loc) * torch.exp(-self.logscale)
        a, b = x.chunk(2, 1) if not self.flip else x.chunk(2, 1)[::-1]
        shift, scale = self.net(a).chunk(2, 1)
        scale = torch.tanh(scale)
        b = b * scale.exp() + shift
        return torch.cat([a, b], 1), scale.sum(1) - self.logscale.sum()


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(LAYERS))

    def forward(self, x):
        logdet = 0
        for layer in self.layers:
            x, d = layer(x)
            logdet = logdet + d
        return (-0.5 * (x ** 2).sum(1) - 0.5 * DIM * math.log(2 * math.pi) + logdet).mean()


hits = torch.randn(EVENTS, DIM, device=dev) @ torch.randn(DIM, DIM, device=dev)
flow = Flow().to(dev)
with torch.no_grad():
    print("start", flow(hits).item())
opt = torch.optim.Adam(flow.parameters(), lr=1e-3)
for step in range(300):
    rows = torch.randint(0, EVENTS, (2048,), device=dev)
    loss = -flow(hits[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 60 == 0:
        print(step, -loss.item())
