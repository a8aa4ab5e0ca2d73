# limit: 1.8
import torch
from torch import nn

torch.manual_seed(1)
DEV = "cuda"


class GpuDataset:
    """Whole table on the card; shuffles itself between epochs."""

    def __init__(self, rows=2 ** 20, cols=256):
        self.data = torch.randn(rows, cols, device=DEV)
        self.order = torch.arange(rows, device=DEV)

    def __len__(self):
        return self.data.shape[0]

    def reshuffle(self):
        perm = torch.randperm(len(self), device=DEV)
        self.data = self.data[perm]
        self.order = self.order[perm]

    def iterate(self, bs):
        for i in range(0, len(self), bs):
            yield self.data[i:i + bs]


def fit(ds, epochs=4, bs=16384):
    net = nn.Sequential(nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 256)).to(DEV)
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for e in range(epochs):
        if e > 0:
            ds.reshuffle()
        total, count = 0.0, 0
        for xb in ds.iterate(bs):
            loss = (net(xb) - xb).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            count += 1
        print(f"epoch {e}  reconstruction {total / count:.4f}")
    return net


fit(GpuDataset())
