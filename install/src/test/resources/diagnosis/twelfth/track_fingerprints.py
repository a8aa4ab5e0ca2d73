# limit: 1.0
"""Audio fingerprints: a fixed ring bank on the GPU and look-ups against it."""
import torch
from torch import nn

DIM = 256
CAPACITY = 819_200          # 800 MiB of float32


class RingBank:
    def __init__(self):
        self.rows = torch.empty(CAPACITY, DIM, device="cuda")
        self.cursor = 0
        self.filled = 0

    def write(self, x):
        n = len(x)
        if self.cursor + n > CAPACITY:
            self.cursor = 0
        self.rows[self.cursor:self.cursor + n].copy_(x)
        self.cursor += n
        self.filled = max(self.filled, self.cursor)

    def nearest(self, q, step=65_536):
        best = torch.full((len(q),), -2.0, device=q.device)
        where = torch.zeros(len(q), dtype=torch.long, device=q.device)
        for s in range(0, self.filled, step):
            part = self.rows[s:min(s + step, self.filled)]
            value, idx = (q @ part.T).max(1)
            better = value > best
            best = torch.where(better, value, best)
            where = torch.where(better, idx + s, where)
        return best, where


class Printer(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 32, 64, stride=32)
        self.lin = nn.Linear(32 * 31, DIM)

    def forward(self, wave):
        h = torch.relu(self.conv(wave[:, None])).flatten(1)
        return nn.functional.normalize(self.lin(h), dim=-1)


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    bank, net = RingBank(), Printer().to("cuda").eval()
    for block in range(500):
        wave = torch.randn(2048, 1024, device="cuda")
        fp = net(wave)
        bank.write(fp)
        if block % 100 == 99:
            score, idx = bank.nearest(fp[:32])
            print(block, bank.filled, round(score.mean().item(), 4), idx[:3].tolist())


if __name__ == "__main__":
    main()
