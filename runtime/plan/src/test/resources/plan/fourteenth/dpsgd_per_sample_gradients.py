"""DP-SGD with per-sample gradients from torch.func (vmap of grad), microbatched with chunk_size."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value, vmap


class WideNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        w = width
        self.stem = nn.Conv2d(3, w, 3, padding=1)
        self.convs = nn.ModuleList([nn.Conv2d(w, w, 3, padding=1), nn.Conv2d(w, 2 * w, 3, 2, 1),
                                    nn.Conv2d(2 * w, 2 * w, 3, padding=1), nn.Conv2d(2 * w, 4 * w, 3, 2, 1)])
        self.norms = nn.ModuleList([nn.GroupNorm(8, c.out_channels) for c in self.convs])
        self.fc = nn.Linear(4 * w, classes)

    def forward(self, x):
        x = self.stem(x)
        for c, n in zip(self.convs, self.norms):
            x = F.relu(n(c(x)))
        return self.fc(x.mean((-1, -2)))


def rdp_epsilon(q, sigma, steps, delta):
    best = float("inf")
    for alpha in [1.5, 2, 3, 4, 8, 16, 32, 64]:
        rdp = steps * alpha * q * q / sigma**2
        best = min(best, rdp + math.log(1 / delta) / (alpha - 1))
    return best


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--logical", type=int, default=256, help="logical batch")
    ap.add_argument("--physical", type=int, default=128)
    ap.add_argument("--chunk", type=int, default=64)
    ap.add_argument("--width", type=int, default=64)
    ap.add_argument("--clip", type=float, default=1.0)
    ap.add_argument("--sigma", type=float, default=0.8)
    ap.add_argument("--steps", type=int, default=4)
    ap.add_argument("--lr", type=float, default=0.5)
    args = ap.parse_args()
    torch.manual_seed(13)
    dev = torch.device("cuda")
    model = WideNet(args.width, 10).to(dev)
    params = {k: p.detach() for k, p in model.named_parameters()}
    momentum = {k: torch.zeros_like(p) for k, p in params.items()}

    def sample_loss(p, x, y):
        out = functional_call(model, p, (x[None],))
        return F.cross_entropy(out, y[None])

    per_sample = vmap(grad_and_value(sample_loss), in_dims=(None, 0, 0), chunk_size=args.chunk, randomness="different")
    noise_gen = torch.Generator(device=dev).manual_seed(1)
    for step in range(args.steps):
        total = {k: torch.zeros_like(p) for k, p in params.items()}
        losses, clipped = [], 0.0
        for _ in range(args.logical // args.physical):
            y = torch.randint(0, 10, (args.physical,), device=dev)
            x = torch.randn(args.physical, 3, 32, 32, device=dev) + y.view(-1, 1, 1, 1) / 5 - 1
            g, l = per_sample(params, x, y)
            norms = torch.stack([v.flatten(1).norm(dim=1) for v in g.values()]).norm(dim=0)
            factor = (args.clip / (norms + 1e-6)).clamp(max=1.0)
            for k in total:
                total[k] += torch.einsum("b,b...->...", factor, g[k])
            losses.append(l.mean())
            clipped += (factor < 1).float().mean().item()
        for k, p in params.items():
            noise = torch.randn(p.shape, device=dev, generator=noise_gen) * args.sigma * args.clip
            gk = (total[k] + noise) / args.logical
            momentum[k].mul_(0.9).add_(gk)
            p.add_(momentum[k], alpha=-args.lr)
        eps = rdp_epsilon(args.logical / 50_000, args.sigma, step + 1, 1e-5)
        print(f"step {step} loss {torch.stack(losses).mean().item():.4f} clipped {clipped / len(losses):.2f} eps<={eps:.2f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f}MiB")
    with torch.no_grad():
        y = torch.randint(0, 10, (1000,), device=dev)
        x = torch.randn(1000, 3, 32, 32, device=dev) + y.view(-1, 1, 1, 1) / 5 - 1
        acc = (functional_call(model, params, (x,)).argmax(1) == y).float().mean()
    print("accuracy", acc.item())


if __name__ == "__main__":
    main()
