"""Exact Gaussian-process regression in plain PyTorch: ARD Matern-5/2 + linear kernel, Cholesky, marginal likelihood by
Adam with restarts, and predictive variances in blocks. (House-price style table.)"""
import argparse
import math
import time

import numpy as np
import torch
import torch.nn as nn
from sklearn.preprocessing import StandardScaler

ap = argparse.ArgumentParser()
ap.add_argument("--n", type=int, default=4500)
ap.add_argument("--d", type=int, default=18)
ap.add_argument("--test", type=int, default=6000)
ap.add_argument("--steps", type=int, default=4)
ap.add_argument("--restarts", type=int, default=2)
ap.add_argument("--block", type=int, default=2000)
args = ap.parse_args()


def houses(n, d, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    y = np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.3 * x[:, 3] + 0.1 * rng.normal(size=n)
    return x, y


class Kernel(nn.Module):
    def __init__(self, d, spread):
        super().__init__()
        self.log_ls = nn.Parameter(torch.randn(d) * spread + 0.5 * math.log(d))
        self.log_amp = nn.Parameter(torch.zeros(()))
        self.log_lin = nn.Parameter(torch.tensor(-2.0))

    def forward(self, a, b):
        s = torch.exp(-self.log_ls)
        a_, b_ = a * s, b * s
        sq = a_.square().sum(1)[:, None] + b_.square().sum(1)[None] - 2 * a_ @ b_.T
        r = (sq.clamp(min=1e-10) * 5).sqrt()
        matern = (1 + r + r.square() / 3) * torch.exp(-r)
        return matern * self.log_amp.exp() + self.log_lin.exp() * (a @ b.T) / a.size(1)

    def diag(self, a):
        return self.log_amp.exp() + self.log_lin.exp() * a.square().sum(1) / a.size(1)


class ExactGP(nn.Module):
    def __init__(self, d, spread):
        super().__init__()
        self.kernel = Kernel(d, spread)
        self.log_noise = nn.Parameter(torch.tensor(-2.0))
        self.mean = nn.Parameter(torch.zeros(()))

    def factor(self, x):
        k = self.kernel(x, x)
        k = k + (self.log_noise.exp() + 1e-4) * torch.eye(len(x), device=x.device)
        return torch.linalg.cholesky(k)

    def nll(self, x, y):
        L = self.factor(x)
        r = (y - self.mean).unsqueeze(1)
        alpha = torch.linalg.solve_triangular(L, r, upper=False)
        return (0.5 * alpha.square().sum() + L.diagonal().log().sum()) / len(x) + 0.5 * math.log(2 * math.pi)

    @torch.no_grad()
    def predict(self, x, y, xt, block):
        L = self.factor(x)
        w = torch.cholesky_solve((y - self.mean).unsqueeze(1), L)
        means, stds = [], []
        for chunk in xt.split(block):
            ks = self.kernel(chunk, x)
            v = torch.linalg.solve_triangular(L, ks.T, upper=False)
            means.append(self.mean + (ks @ w).squeeze(1))
            stds.append((self.kernel.diag(chunk) - v.square().sum(0) + self.log_noise.exp()).clamp(min=1e-8).sqrt())
        return torch.cat(means), torch.cat(stds)


def main():
    torch.manual_seed(64)
    device = torch.device("cuda")
    x, y = houses(args.n + args.test, args.d, 3)
    sx, sy = StandardScaler().fit(x[: args.n]), StandardScaler().fit(y[: args.n, None])
    x = torch.tensor(sx.transform(x), dtype=torch.float32, device=device)
    y = torch.tensor(sy.transform(y[:, None])[:, 0], dtype=torch.float32, device=device)
    xt, yt, x, y = x[args.n :], y[args.n :], x[: args.n], y[: args.n]

    best, best_gp = float("inf"), None
    for r in range(args.restarts):
        gp = ExactGP(args.d, 0.1 + 0.2 * r).to(device)
        opt = torch.optim.Adam(gp.parameters(), lr=0.1)
        t0 = time.time()
        for s in range(args.steps):
            opt.zero_grad()
            loss = gp.nll(x, y)
            loss.backward()
            opt.step()
            print(f"restart {r} step {s} nll {loss.item():.4f} noise {gp.log_noise.exp().item():.4f} ({time.time() - t0:.2f}s)")
        if loss.item() < best:
            best, best_gp = loss.item(), gp
        del loss
    print(f"fit peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    m, s = best_gp.predict(x, y, xt, args.block)
    rmse = (m - yt).square().mean().sqrt().item()
    cover = ((yt - m).abs() < 1.96 * s).float().mean().item()
    print(f"rmse {rmse:.4f} 95% coverage {cover:.3f} relevant", best_gp.kernel.log_ls.argsort()[:4].tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
