# limit: 2.0
# Glow-like flow on 64x64 textures
import torch
import torch.nn as nn

dev = torch.device("cuda")
torch.manual_seed(10)


class ActNorm(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1, c, 1, 1))
        self.logs = nn.Parameter(torch.zeros(1, c, 1, 1))
        self.ready = False

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.bias.copy_(-x.mean((0, 2, 3), keepdim=True))
                self.logs.copy_(-x.std((0, 2, 3), keepdim=True).clamp_min(1e-3).log())
            self.ready = True
        return (x + self.bias) * self.logs.exp(), self.logs.sum() * x[0, 0].numel()


class Coupling(nn.Module):
    def __init__(self, c, hidden=64):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(c // 2, hidden, 3, padding=1), nn.ReLU(),
                                 nn.Conv2d(hidden, hidden, 1), nn.ReLU(),
                                 nn.Conv2d(hidden, c, 3, padding=1))
        nn.init.zeros_(self.net[-1].weight)

    def forward(self, x):
        a, b = x.chunk(2, 1)
        shift, log_s = self.net(a).chunk(2, 1)
        s = torch.sigmoid(log_s + 2)
        return torch.cat([(b + shift) * s, a], 1), s.log().sum((1, 2, 3)).mean()


class Flow(nn.Module):
    def __init__(self, c=12, k=8):
        super().__init__()
        self.steps = nn.ModuleList()
        for _ in range(k):
            self.steps += [ActNorm(c), Coupling(c)]

    def nll(self, x):
        h, logdet = nn.functional.pixel_unshuffle(x, 2), 0.0
        for s in self.steps:
            h, ld = s(h)
            logdet = logdet + ld
        return (0.5 * h.pow(2).sum((1, 2, 3)).mean() - logdet) / x[0].numel()


def textures(n):
    base = torch.rand(n, 3, 16, 16, device=dev)
    return nn.functional.interpolate(base, size=64, mode="bilinear") + 0.05 * torch.rand(n, 3, 64, 64, device=dev)


flow = Flow().to(dev)
opt = torch.optim.Adam(flow.parameters(), 1e-3)
BATCH = 64
init_batch = textures(16 * BATCH)
loss = flow.nll(init_batch)
print("after data init", loss.item())
for step in range(150):
    loss = flow.nll(textures(BATCH))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 25 == 0:
        print(step, loss.item())
