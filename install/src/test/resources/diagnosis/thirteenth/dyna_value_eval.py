# limit: 1.5
# learned dynamics model for a cheetah-like task
import torch
import torch.nn as nn
from collections import defaultdict

torch.manual_seed(21)
dev = torch.device("cuda")
S, A, H = 64, 16, 2048


class Dynamics(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(S + A, H), nn.SiLU(), nn.Linear(H, H), nn.SiLU(),
                               nn.Linear(H, H), nn.SiLU(), nn.Linear(H, S + 1))

    def forward(self, s, a):
        out = self.f(torch.cat([s, a], -1))
        return s + out[..., :S], out[..., S]


def transitions(n):
    s = torch.randn(n, S, device=dev)
    a = torch.rand(n, A, device=dev) * 2 - 1
    s2 = s + 0.1 * torch.tanh(s.roll(1, -1)) + 0.05 * a.repeat(1, S // A)
    return s, a, s2, s2.pow(2).mean(-1)


def criterion(model, batch):
    s, a, s2, r = batch
    ps, pr = model(s, a)
    return (ps - s2).pow(2).mean() + (pr - r).pow(2).mean()


class Metrics:
    def __init__(self):
        self.values = defaultdict(list)

    def log(self, name, v):
        self.values[name].append(v)

    def last(self, name, n):
        v = self.values[name][-n:]
        return float(sum(v) / len(v))


model = Dynamics().to(dev)
opt = torch.optim.Adam(model.parameters(), 3e-4)
metrics = Metrics()

for epoch in range(20):
    model.train()
    for _ in range(50):
        loss = criterion(model, transitions(512))
        opt.zero_grad()
        loss.backward()
        opt.step()
        metrics.log("train", loss.item())
    model.eval()
    for _ in range(4):
        val = criterion(model, transitions(1024))
        metrics.log("val", val)
    print(f"{epoch:2d} train {metrics.last('train', 50):.4f} val {metrics.last('val', 4):.4f}")
