# limit: 1.6
"""Train; whenever the validation loss rises, go back to the best epoch and halve the rate."""
import tempfile
from pathlib import Path

import torch
from torch import nn


def build():
    layer = nn.TransformerEncoderLayer(1024, 8, 4096, batch_first=True, dropout=0.0)
    return nn.Sequential(nn.Linear(40, 1024), nn.TransformerEncoder(layer, 8), nn.Linear(1024, 40))


def spectro(n, bs=2, length=96):
    for _ in range(n):
        yield torch.randn(bs, length, 40, device="cuda")


def masked_loss(model, x):
    keep = (torch.rand(x.shape[:2], device=x.device) > 0.15).unsqueeze(-1)
    return ((model(x * keep) - x).pow(2) * ~keep).mean()


def evaluate(model):
    model.eval()
    with torch.no_grad():
        return sum(masked_loss(model, x).item() for x in spectro(4)) / 4


def fit(model, folder, epochs=6, bad_epochs=(2, 4)):
    opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    file = Path(folder) / "best.pth"
    best, ckpt = float("inf"), None
    for epoch in range(epochs):
        model.train()
        for x in spectro(12):
            loss = masked_loss(model, x)
            opt.zero_grad()
            loss.backward()
            opt.step()
        val = evaluate(model) * (2.0 if epoch in bad_epochs else 1.0)
        print(f"epoch {epoch} val {val:.4f}")
        if epoch not in bad_epochs and (epoch == 0 or val < best):
            best = val
            torch.save({"net": model.state_dict(), "sgd": opt.state_dict()}, file)
        elif epoch in bad_epochs:
            print("  -> rolling back")
            ckpt = torch.load(file, map_location=torch.device("cuda"))
            model.load_state_dict(ckpt["net"])
            opt.load_state_dict(ckpt["sgd"])
            for g in opt.param_groups:
                g["lr"] /= 2
    return model, best


if __name__ == "__main__":
    torch.manual_seed(77)
    with tempfile.TemporaryDirectory() as tmp:
        fit(build().cuda(), tmp)
