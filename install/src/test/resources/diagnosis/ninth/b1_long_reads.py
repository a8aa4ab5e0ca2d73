# limit: 3
"""Basecalling-like model over long raw reads."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

device = torch.device("cuda")
DIM, DEPTH, READ, BATCH = 256, 20, 8000, 4


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(DIM)
        self.local = nn.Conv1d(DIM, DIM, 9, padding=4, groups=8)
        self.up, self.down = nn.Linear(DIM, 4 * DIM), nn.Linear(4 * DIM, DIM)

    def forward(self, x):
        h = self.local(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.down(F.gelu(self.up(h)))


class Basecaller(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(1, DIM)
        self.blocks = nn.ModuleList(Mixer() for _ in range(DEPTH))
        self.out = nn.Linear(DIM, 5)

    def forward(self, signal):
        x = self.inp(signal[..., None])
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.training else block(x)
        return self.out(x)


def reads():
    signal = torch.randn(BATCH, READ, device=device).cumsum(1) / 50
    return signal, torch.randint(0, 5, (BATCH, READ), device=device)


def main():
    model = Basecaller().to(device).train()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step in range(30):
        signal, bases = reads()
        loss = F.cross_entropy(model(signal).flatten(0, 1), bases.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            print("step", step, "loss", loss.item())


main()
