# limit: 1.45
"""Load forecaster: train, stop, resume from the last checkpoint."""
import gc
import os
import tempfile

import torch
from torch import nn

WIDTH = 4096
DEV = "cuda"


class Forecaster(nn.Module):
    def __init__(self, n_in=168, n_out=24):
        super().__init__()
        self.inp = nn.Linear(n_in, WIDTH)
        self.mid = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.out = nn.Linear(WIDTH, n_out)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        for layer in self.mid:
            h = h + torch.relu(layer(h))
        return self.out(h)


def make():
    with torch.device(DEV):
        model = Forecaster()
    return model, torch.optim.AdamW(model.parameters(), lr=1e-4)


def train(model, opt, steps, tag):
    for s in range(steps):
        x = torch.randn(128, 168, device=DEV)
        y = torch.randn(128, 24, device=DEV)
        loss = nn.functional.smooth_l1_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(tag, "loss", loss.item())


def first_run(path):
    model, opt = make()
    train(model, opt, 10, "first run")
    torch.save({"model": model.state_dict(), "optimizer": opt.state_dict(), "step": 10}, path)


def resume(path):
    model, opt = make()
    ckpt = torch.load(path, map_location=DEV)
    model.load_state_dict(ckpt["model"])
    opt.load_state_dict(ckpt["optimizer"])
    print("resumed at step", ckpt["step"])
    train(model, opt, 10, "second run")
    return ckpt["step"] + 10


if __name__ == "__main__":
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "last.pt")
        first_run(path)
        gc.collect()
        torch.cuda.empty_cache()
        print("finished at", resume(path))
