# limit: 1.0
"""Translate lists of sentences; on lack of memory split the list and go on."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, d=1024, layers=8):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d)) for _ in range(layers))

    def forward(self, x):
        states = [x]
        for layer in self.layers:
            states.append(states[-1] + layer(states[-1]))
        return torch.stack([s.mean(-1) for s in states], -1)


class Translator:
    def __init__(self):
        self.net = Encoder().to("cuda").eval()
        self.splits = 0

    @torch.no_grad()
    def _once(self, lengths):
        x = torch.randn(len(lengths) * 64, 1024, device="cuda")
        return self.net(x).mean(-1)

    def translate(self, lengths):
        if len(lengths) < 60:
            return self._once(lengths)
        try:
            return self._once(lengths)
        except torch.OutOfMemoryError:
            self.splits += 1
            print(f"{len(lengths)} sentences do not fit, splitting")
            half = len(lengths) // 2
            return torch.cat([self.translate(lengths[:half]), self.translate(lengths[half:])])


def main():
    torch.manual_seed(3)
    tr = Translator()
    for i, n in enumerate([50, 100, 150, 200, 350, 420, 440, 200]):
        out = tr.translate([64] * n)
        print(f"job {i}: {n} sentences -> {out.shape[0]} states, {tr.splits} splits")


if __name__ == "__main__":
    main()
