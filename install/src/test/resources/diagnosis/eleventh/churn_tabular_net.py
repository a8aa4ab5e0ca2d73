# limit: 1.5
import torch
from torch import nn, optim

torch.manual_seed(42)
device = torch.device("cuda")
N_FEATURES = 64


def make_split(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, N_FEATURES, generator=g)
    y = (x[:, :4].sum(1) > 0).float()
    return x, y


def build():
    layers, width = [], N_FEATURES
    for _ in range(4):
        layers += [nn.Linear(width, 1024), nn.GELU(), nn.Dropout(0.1)]
        width = 1024
    return nn.Sequential(*layers, nn.Linear(width, 1))


def run_epoch(model, data, loss_fn, opt=None, bs=4096):
    x, y = data
    losses = []
    for i in range(0, len(x), bs):
        xb, yb = x[i:i + bs].to(device), y[i:i + bs].to(device)
        loss = loss_fn(model(xb).squeeze(1), yb)
        if opt is not None:
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        else:
            losses.append(loss)
    return losses


train = make_split(4096 * 8, 1)
valid = make_split(4096 * 24, 2)
model = build().to(device)
opt = optim.Adam(model.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()

for epoch in range(3):
    model.train()
    tr = run_epoch(model, train, bce, opt)
    model.eval()
    va = run_epoch(model, valid, bce)
    mean_va = torch.stack(va).mean().item()
    print(f"epoch {epoch}: train {sum(tr) / len(tr):.4f} valid {mean_va:.4f}")
