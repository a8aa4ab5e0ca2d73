# limit: 1.5
"""First-arrival picking. A few traces are corrupt; those batches are skipped and listed in the end."""
import torch
import torch.nn as nn

torch.manual_seed(71)
device = "cuda"


class Picker(nn.Module):
    def __init__(self, d=512):
        super().__init__()
        self.stack = nn.Sequential(nn.Linear(60, d), nn.SiLU(), nn.Linear(d, d), nn.SiLU(),
                                   nn.Linear(d, d), nn.SiLU(), nn.Linear(d, 1))

    def forward(self, x):
        return self.stack(x).squeeze(-1)


class CorruptBatch(ValueError):
    pass


def load_batch(i, windows=8192):
    x = torch.randn(windows, 60, device=device)
    y = x[:, :10].sum(1)
    if i % 6 == 5:
        x[i % windows, 3] = float("nan")
    return x, y


def train_batch(model, opt, i):
    x, y = load_batch(i)
    pred = model(x)
    loss = (pred - y).abs().mean()
    if not torch.isfinite(loss):
        raise CorruptBatch(f"batch {i}: loss is {loss.item()}")
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    model = Picker().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    skipped = []
    for i in range(240):
        try:
            loss = train_batch(model, opt, i)
        except CorruptBatch as err:
            skipped.append(err)
            continue
        if i % 20 == 0:
            print(f"batch {i} mae {loss:.4f} skipped {len(skipped)}")
    for err in skipped:
        print("skipped:", err)


if __name__ == "__main__":
    main()
