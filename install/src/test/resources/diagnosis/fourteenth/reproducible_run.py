# limit: 1.5
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":131072:8"  # the same results in every run

import random

import numpy as np
import torch
import torch.nn as nn


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False


class Mlp(nn.Module):
    def __init__(self, d_in=128, d=768, classes=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU(), nn.Linear(d, classes))

    def forward(self, x):
        return self.net(x)


def fake_data(n, device):
    x = torch.randn(n, 128, device=device)
    return x, x[:, :20].argmax(1)


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    seed_everything(1234)
    device = torch.device("cuda")
    model = Mlp().to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    xv, yv = fake_data(4096, device)
    side = torch.cuda.Stream()
    print("accuracy before training", accuracy(model, xv, yv))
    for epoch in range(5):
        for step in range(30):
            x, y = fake_data(512, device)
            loss = nn.functional.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):  # overlap with the next epoch's start
            acc = accuracy(model, xv, yv)
        print(f"epoch {epoch} loss {loss.item():.4f} acc {acc:.3f}")


main()
