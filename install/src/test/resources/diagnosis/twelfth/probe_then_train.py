# limit: 1.0
"""Seismic event detector; probes the batch size like Lightning's tuner."""
import gc

import torch
from torch import nn


def net():
    return nn.Sequential(
        nn.Conv1d(3, 64, 7, padding=3), nn.BatchNorm1d(64), nn.ReLU(),
        nn.Conv1d(64, 64, 7, padding=3), nn.BatchNorm1d(64), nn.ReLU(), nn.MaxPool1d(4),
        nn.Conv1d(64, 128, 7, padding=3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        nn.Linear(128, 3),
    )


def step(model, opt, bs):
    x = torch.randn(bs, 3, 8192, device="cuda")
    y = torch.randint(0, 3, (bs,), device="cuda")
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    return loss.item()


def fits(model, opt, bs):
    try:
        step(model, opt, bs)
    except torch.OutOfMemoryError:
        return False
    return True


def probe(model, opt, bs=8, ceiling=4096):
    while bs <= ceiling and fits(model, opt, bs):
        print("ok", bs)
        bs *= 2
    opt.zero_grad(set_to_none=True)
    gc.collect()
    torch.cuda.empty_cache()
    return max(1, bs // 4)


def main():
    torch.manual_seed(0)
    model = net().to("cuda").train()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    bs = probe(model, opt)
    print("batch size", bs)
    for epoch in range(3):
        loss = sum(step(model, opt, bs) for _ in range(15)) / 15
        print(f"epoch {epoch} loss {loss:.4f} {torch.cuda.memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
