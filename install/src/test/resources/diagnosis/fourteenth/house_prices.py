# limit: 1.0
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(0)
torch.manual_seed(0)

X = rng.normal(size=(60_000, 40)).astype("float32")
y = (X[:, :5].sum(1) + 0.1 * rng.normal(size=60_000)).astype("float32")
X_train, y_train = torch.from_numpy(X[:20_000]), torch.from_numpy(y[:20_000])
X_valid, y_valid = torch.from_numpy(X[20_000:]), torch.from_numpy(y[20_000:])


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(40, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 1))

    def forward(self, x):
        return self.net(x)


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def __call__(self, value):
        if value < self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def rmse(pred, target):
    return ((pred - target) ** 2).mean().sqrt()


model = Regressor().to("cuda")
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(TensorDataset(X_train, y_train), batch_size=256, shuffle=True)
stop = EarlyStopping(3)
for epoch in range(10):
    model.train()
    for xb, yb in loader:
        xb, yb = xb.to("cuda"), yb.to("cuda")
        loss = rmse(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        v = rmse(model(X_valid.to("cuda")), y_valid.to("cuda")).item()
    print(f"epoch {epoch} train {loss.item():.4f} valid {v:.4f}")
    if stop(v):
        break
