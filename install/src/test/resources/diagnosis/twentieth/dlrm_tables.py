# limit: 2.5
"""Click model with one embedding table per categorical column (Criteo-like cardinalities)."""
import torch
import torch.nn as nn

CARDINALITIES = [1460, 583, 3_100_000, 1_200_000, 305, 24, 12517, 633, 3, 93145, 5683, 1_900_000, 3194,
                 27, 14992, 1_461_306, 10, 5652, 2173, 4, 2_046_547, 18, 15, 286181, 105, 142572]


class Tables(nn.Module):
    def __init__(self, sizes, dim, device):
        super().__init__()
        self.tables = nn.ModuleList()
        for k, rows in enumerate(sizes):
            table = nn.Embedding(rows, dim, device=device, _weight=torch.empty(rows, dim, device=device).uniform_(-0.01, 0.01))
            self.tables.append(table)
            if rows > 100_000:
                print(f"  table C{k + 1}: {rows:,} rows, {rows * dim * 4 / 2**20:.0f} MiB")

    def forward(self, cat):
        return torch.stack([t(cat[:, k]) for k, t in enumerate(self.tables)], 1)


class Clicks(nn.Module):
    def __init__(self, dim=96, device="cuda"):
        super().__init__()
        self.bottom = nn.Sequential(nn.Linear(13, 256), nn.ReLU(), nn.Linear(256, dim), nn.ReLU()).to(device)
        self.tables = Tables(CARDINALITIES, dim, device)
        n = len(CARDINALITIES) + 1
        self.top = nn.Sequential(nn.Linear(n * (n - 1) // 2 + dim, 256), nn.ReLU(), nn.Linear(256, 1)).to(device)

    def forward(self, num, cat):
        b = self.bottom(num)
        t = torch.cat([b[:, None], self.tables(cat)], 1)
        z = t @ t.transpose(1, 2)
        i, j = torch.tril_indices(t.shape[1], t.shape[1], -1, device=z.device)
        return self.top(torch.cat([b, z[:, i, j]], 1)).squeeze(1)


def batch(n=1024):
    num = torch.randn(n, 13)
    cat = torch.stack([torch.randint(0, c, (n,)) for c in CARDINALITIES], 1)
    return num.to("cuda"), cat.to("cuda"), torch.rand(n).round().to("cuda")


def main():
    torch.manual_seed(26)
    model = Clicks()
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f} M parameters")
    with torch.no_grad():
        for step in range(50):
            num, cat, y = batch()
            loss = nn.functional.binary_cross_entropy_with_logits(model(num, cat), y)
        print("zero-shot loss", loss.item())


main()
