# limit: 1.3
"""Bioacoustics: long clips are turned into features on a side stream, then a deep 1-d net is trained."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(60)
dev = "cuda"
SR, SECONDS = 16000, 147.456


class SideFrontend:
    def __init__(self):
        self.stream = torch.cuda.Stream()
        self.window = torch.hann_window(512, device=dev)
        self.waves, self.feats = [], []

    def energy_bands(self, wave):
        frames = wave.view(-1, 512)[:, :208] * self.window[:208]
        return frames.square().view(-1, 26, 8).sum(-1).repeat(1, 3).add(1e-6).log()

    @torch.no_grad()
    def load(self, n):
        with torch.cuda.stream(self.stream):
            for i in range(n):
                wave = torch.randn(int(SR * SECONDS), device=dev)
                self.waves.append(wave)
                self.feats.append(self.energy_bands(wave))
        self.stream.synchronize()

    def check(self):
        bad = sum(int(not torch.isfinite(w).all()) for w in self.waves)
        self.waves = []
        print(f"{len(self.feats)} clips, {bad} bad", flush=True)


class Res(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.c = nn.Conv1d(ch, ch, 3, padding=1)

    def forward(self, x):
        return x + F.gelu(self.c(x))


class Net(nn.Module):
    def __init__(self, ch=256, depth=40):
        super().__init__()
        self.inp = nn.Conv1d(78, ch, 1)
        self.body = nn.Sequential(*[Res(ch) for _ in range(depth)])
        self.out = nn.Conv1d(ch, 78, 1)

    def forward(self, x):
        return self.out(self.body(self.inp(x)))


def train(net, opt, source, steps):
    for i in range(steps):
        x = torch.stack([source(16 * i + j) for j in range(16)])
        loss = (net(x[..., :-1]) - x[..., 1:]).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("loss", loss.item(), flush=True)


net = Net().to(dev)
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
train(net, opt, lambda k: torch.randn(78, 513, device=dev), 10)
front = SideFrontend()
front.load(85)
front.check()
train(net, opt, lambda k: front.feats[k % 85][:513].T, 20)
