"""Differentially private SGD: per-sample gradients by vmap(grad), physical chunks inside a logical batch, noise, SWA copy."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value, vmap
from torch.optim.swa_utils import AveragedModel


@dataclass
class DP:
    logical: int = 512
    physical: int = 64
    max_norm: float = 1.2
    sigma: float = 0.9
    steps: int = 4
    lr: float = 0.3


class WSConv(nn.Conv2d):
    """weight-standardised convolution: group norm + WS replaces batch norm under DP"""

    def forward(self, x):
        w = self.weight
        w = (w - w.mean((1, 2, 3), keepdim=True)) / (w.std((1, 2, 3), keepdim=True) + 1e-5)
        return F.conv2d(x, w, self.bias, self.stride, self.padding)


class Res(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.g1, self.c1 = nn.GroupNorm(8, i), WSConv(i, o, 3, s, 1)
        self.g2, self.c2 = nn.GroupNorm(8, o), WSConv(o, o, 3, 1, 1)
        self.sc = WSConv(i, o, 1, s) if s > 1 or i != o else None

    def forward(self, x):
        h = F.silu(self.g1(x))
        y = self.c2(F.silu(self.g2(self.c1(h))))
        return y + (x if self.sc is None else self.sc(h))


def wrn(width=32):
    return nn.Sequential(WSConv(3, width, 3, 1, 1), Res(width, 2 * width, 1), Res(2 * width, 2 * width, 1),
                         Res(2 * width, 4 * width, 2), Res(4 * width, 4 * width, 1), Res(4 * width, 8 * width, 2),
                         nn.GroupNorm(8, 8 * width), nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(8 * width, 10))


def main():
    c = DP()
    torch.manual_seed(64)
    dev = "cuda"
    net = wrn().to(dev)
    avg = AveragedModel(net)
    opt = torch.optim.SGD(net.parameters(), lr=c.lr)

    def single(params, x, y):
        return F.cross_entropy(functional_call(net, params, (x[None],)), y[None])

    per_sample = vmap(grad_and_value(single), in_dims=(None, 0, 0), randomness="different")
    print("parameters", sum(p.numel() for p in net.parameters()))
    for step in range(c.steps):
        params = {k: v.detach() for k, v in net.named_parameters()}
        acc = {k: torch.zeros_like(v) for k, v in params.items()}
        clipped, tot = 0, 0.0
        take = torch.rand(c.logical * 2, device=dev) < 0.5          # Poisson sampling: size varies
        n = int(take.sum())
        x, y = torch.randn(n, 3, 32, 32, device=dev), torch.randint(0, 10, (n,), device=dev)
        for xb, yb in zip(x.split(c.physical), y.split(c.physical)):
            grads, losses = per_sample(params, xb, yb)
            norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
            factor = (c.max_norm / (norms + 1e-6)).clamp(max=1.0)
            for k, g in grads.items():
                acc[k] += torch.einsum("n,n...->...", factor, g)
            clipped += int((norms > c.max_norm).sum())
            tot += losses.sum().item()
            del grads
        for k, p in net.named_parameters():
            p.grad = (acc[k] + c.sigma * c.max_norm * torch.randn_like(p)) / c.logical
        opt.step()
        avg.update_parameters(net)
        print(f"step {step} n={n} loss {tot / n:.4f} clipped {clipped / n:.2%}")
    avg.eval()
    with torch.no_grad():
        print("avg logits std", avg(torch.randn(256, 3, 32, 32, device=dev)).std().item())
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
