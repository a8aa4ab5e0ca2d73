"""Exact Gaussian process regression with an ARD Matern-5/2 kernel by Cholesky; hyperparameters by gradient of the
marginal likelihood. Cubic in n, quadratic in memory."""
import argparse
import math
import time

import torch
from torch import nn


class MaternGP(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.raw_ls = nn.Parameter(torch.zeros(dim))
        self.raw_out = nn.Parameter(torch.zeros(()))
        self.raw_noise = nn.Parameter(torch.tensor(-2.0))
        self.mean = nn.Parameter(torch.zeros(()))

    @property
    def noise(self):
        return nn.functional.softplus(self.raw_noise) + 1e-4

    def kernel(self, a, b):
        ls = nn.functional.softplus(self.raw_ls)
        a, b = a / ls, b / ls
        d2 = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.t()
        r = (5 * d2.clamp(min=1e-10)).sqrt()
        return nn.functional.softplus(self.raw_out) * (1 + r + r * r / 3) * torch.exp(-r)

    def nll(self, x, y):
        n = len(x)
        k = self.kernel(x, x) + self.noise * torch.eye(n, device=x.device, dtype=x.dtype)
        chol = torch.linalg.cholesky(k)
        res = (y - self.mean)[:, None]
        alpha = torch.cholesky_solve(res, chol)
        return (0.5 * (res * alpha).sum() + chol.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)) / n

    @torch.no_grad()
    def predict(self, x, y, xs, chunk=1024):
        k = self.kernel(x, x)
        k.diagonal().add_(self.noise)
        chol = torch.linalg.cholesky(k)
        alpha = torch.cholesky_solve((y - self.mean)[:, None], chol)
        mu, var = [], []
        for part in xs.split(chunk):
            ks = self.kernel(x, part)
            mu.append((ks.t() @ alpha).squeeze(1) + self.mean)
            v = torch.linalg.solve_triangular(chol, ks, upper=False)
            var.append(nn.functional.softplus(self.raw_out) - (v * v).sum(0) + self.noise)
        return torch.cat(mu), torch.cat(var)


def friedman(n, dim=8):
    x = torch.rand(n, dim)
    y = 10 * torch.sin(math.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, y + torch.randn(n)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--n", type=int, default=6000)
    p.add_argument("--n-test", type=int, default=4000)
    p.add_argument("--steps", type=int, default=6)
    p.add_argument("--lr", type=float, default=0.1)
    a = p.parse_args()
    torch.manual_seed(0)
    dev = "cuda"
    x, y = friedman(a.n)
    xs, ys = friedman(a.n_test)
    m, s = y.mean(), y.std()
    x, xs, y, ys = x.to(dev), xs.to(dev), ((y - m) / s).to(dev), ((ys - m) / s).to(dev)
    gp = MaternGP(x.shape[1]).to(dev)
    opt = torch.optim.Adam(gp.parameters(), lr=a.lr)
    for i in range(a.steps):
        t0 = time.time()
        opt.zero_grad()
        loss = gp.nll(x, y)
        loss.backward()
        opt.step()
        print(f"iter {i} nll {loss.item():.4f} noise {gp.noise.item():.4f} {time.time() - t0:.2f}s "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    mu, var = gp.predict(x, y, xs)
    rmse = (mu - ys).pow(2).mean().sqrt().item()
    cover = ((mu - ys).abs() < 1.96 * var.sqrt()).float().mean().item()
    print(f"rmse {rmse:.4f} coverage95 {cover:.3f} prediction peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
