"""Differentially private SGD: per-sample gradients with torch.func (vmap over grad), clipping, Gaussian noise.
Virtual steps: the logical batch is processed in physical chunks."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value, vmap


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--logical", type=int, default=256)
    p.add_argument("--physical", type=int, default=64)
    p.add_argument("--clip", type=float, default=1.0)
    p.add_argument("--sigma", type=float, default=1.1)
    p.add_argument("--lr", type=float, default=0.25)
    p.add_argument("--steps", type=int, default=5)
    p.add_argument("--width", type=int, default=64)
    p.add_argument("--side", type=int, default=32)
    return p.parse_args()


class GNResNet(nn.Module):
    """group norm rather than batch norm, since samples must not mix"""

    def __init__(self, w, classes=10):
        super().__init__()
        self.stem = nn.Conv2d(3, w, 3, padding=1)
        self.blocks = nn.ModuleList()
        c = w
        for co, stride in ((w, 1), (2 * w, 2), (4 * w, 2)):
            self.blocks.append(nn.ModuleDict({
                "n1": nn.GroupNorm(8, c), "c1": nn.Conv2d(c, co, 3, stride, 1),
                "n2": nn.GroupNorm(8, co), "c2": nn.Conv2d(co, co, 3, 1, 1),
                "sc": nn.Conv2d(c, co, 1, stride)}))
            c = co
        self.head = nn.Linear(c, classes)

    def forward(self, x):
        x = self.stem(x)
        for b in self.blocks:
            h = b["c1"](F.silu(b["n1"](x)))
            x = b["sc"](x) + b["c2"](F.silu(b["n2"](h)))
        return self.head(x.mean((2, 3)))


def gaussian_epsilon(steps, rate, sigma, delta=1e-5):
    """rough RDP bound for the subsampled Gaussian mechanism (small-rate approximation)"""
    best = math.inf
    for a in [1.5, 2, 4, 8, 16, 32, 64]:
        rdp = steps * rate ** 2 * a / sigma ** 2
        best = min(best, rdp + math.log(1 / delta) / (a - 1))
    return best


def main():
    a = parse()
    torch.manual_seed(2718)
    device = "cuda"
    model = GNResNet(a.width).to(device)
    params = {k: v.detach() for k, v in model.named_parameters()}
    momentum = {k: torch.zeros_like(v) for k, v in params.items()}
    n_data = 4096
    xs = torch.randn(n_data, 3, a.side, a.side)
    ys = torch.randint(0, 10, (n_data,))
    xs[:, 0] += ys.view(-1, 1, 1) * 0.1

    def loss_one(p, x, y):
        return F.cross_entropy(functional_call(model, p, (x.unsqueeze(0),)), y.unsqueeze(0))

    per_sample = vmap(grad_and_value(loss_one), in_dims=(None, 0, 0))
    print("parameters", sum(v.numel() for v in params.values()))

    for step in range(a.steps):
        pick = torch.rand(n_data) < a.logical / n_data   # Poisson sampling: the batch size varies
        idx = pick.nonzero().squeeze(1)
        acc = {k: torch.zeros_like(v) for k, v in params.items()}
        losses, clipped = [], 0
        for chunk in idx.split(a.physical):
            grads, loss = per_sample(params, xs[chunk].to(device), ys[chunk].to(device))
            norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()], 1).norm(dim=1)
            factor = (a.clip / (norms + 1e-6)).clamp(max=1.0)
            clipped += int((factor < 1).sum())
            for k, g in grads.items():
                acc[k] += torch.einsum("b,b...->...", factor, g)
            losses.append(loss)
            del grads
        for k in params:
            noise = torch.randn_like(acc[k]) * a.sigma * a.clip
            momentum[k].mul_(0.9).add_((acc[k] + noise) / a.logical)
            params[k] = params[k] - a.lr * momentum[k]
        print(f"step {step} batch {len(idx)} loss {torch.cat(losses).mean().item():.4f} clipped {clipped} "
              f"eps~{gaussian_epsilon(step + 1, a.logical / n_data, a.sigma):.2f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    with torch.no_grad():
        out = functional_call(model, params, (xs[:1024].to(device),))
    print("train accuracy", (out.argmax(1).cpu() == ys[:1024]).float().mean().item())


if __name__ == "__main__":
    main()
