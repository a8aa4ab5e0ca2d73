# limit: 0.9
"""Average the weights of several runs (model soup)."""
import tempfile
from pathlib import Path

import torch
from torch import nn

WIDTH, DEPTH = 2048, 10


def mlp():
    mods = [nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH)]
    return nn.Sequential(*[m for l in mods for m in (l, nn.SiLU())])


def short_run(seed, steps=5):
    torch.manual_seed(seed)
    net = mlp().cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(steps):
        x = torch.randn(128, WIDTH, device="cuda")
        loss = (net(x) - x).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net, loss.item()


def soup(paths):
    net = mlp().cuda()
    states = [torch.load(p, map_location="cuda") for p in paths]
    merged = {}
    for key in states[0]:
        merged[key] = sum(s[key] for s in states) / len(states)
    net.load_state_dict(merged)
    return net


with tempfile.TemporaryDirectory() as tmp:
    files = []
    for seed in range(6):
        net, loss = short_run(seed)
        path = Path(tmp) / f"run{seed}.pt"
        torch.save(net.state_dict(), path)
        files.append(path)
        print(f"run {seed}: {loss:.4f}")
        del net
    final = soup(files)
    x = torch.randn(128, WIDTH, device="cuda")
    with torch.no_grad():
        print("soup:", (final(x) - x).square().mean().item())
