"""Exact Gaussian-process regression in plain PyTorch (float64), ARD Matern-5/2, hyper-parameters by Adam on the
log marginal likelihood; predictive mean and variance in chunks."""
import argparse
import math

import torch
from torch import nn


class MaternGP(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.raw_ls = nn.Parameter(torch.zeros(dims))
        self.raw_out = nn.Parameter(torch.zeros(()))
        self.raw_noise = nn.Parameter(torch.tensor(-2.0))
        self.mean = nn.Parameter(torch.zeros(()))

    @property
    def noise(self):
        return nn.functional.softplus(self.raw_noise) + 1e-4

    def kernel(self, a, b):
        ls = nn.functional.softplus(self.raw_ls)
        a, b = a / ls, b / ls
        sq = (a.pow(2).sum(-1, keepdim=True) + b.pow(2).sum(-1) - 2 * a @ b.T).clamp(min=1e-12)
        r = math.sqrt(5) * sq.sqrt()
        return nn.functional.softplus(self.raw_out) * (1 + r + r.pow(2) / 3) * torch.exp(-r)

    def nll(self, x, y):
        n = len(x)
        K = self.kernel(x, x) + self.noise * torch.eye(n, dtype=x.dtype, device=x.device)
        L = torch.linalg.cholesky(K)
        resid = (y - self.mean).unsqueeze(-1)
        alpha = torch.cholesky_solve(resid, L)
        fit = 0.5 * (resid * alpha).sum()
        return (fit + L.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)) / n

    @torch.no_grad()
    def posterior(self, x, y, xs, chunk):
        K = self.kernel(x, x)
        K.diagonal().add_(self.noise)
        L = torch.linalg.cholesky(K)
        del K
        alpha = torch.cholesky_solve((y - self.mean).unsqueeze(-1), L)
        means, variances = [], []
        for piece in xs.split(chunk):
            ks = self.kernel(x, piece)
            w = torch.linalg.solve_triangular(L, ks, upper=False)
            means.append(self.mean + (ks.T @ alpha).squeeze(-1))
            variances.append(nn.functional.softplus(self.raw_out) - w.pow(2).sum(0) + self.noise)
        return torch.cat(means), torch.cat(variances)


def friedman(n, dims, gen):
    x = torch.rand(n, dims, generator=gen, dtype=torch.float64)
    f = 10 * torch.sin(math.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, f + torch.randn(n, generator=gen, dtype=torch.float64)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=3600)
    ap.add_argument("--test", type=int, default=5000)
    ap.add_argument("--dims", type=int, default=8)
    ap.add_argument("--iters", type=int, default=6)
    ap.add_argument("--chunk", type=int, default=1500)
    args = ap.parse_args()
    gen = torch.Generator().manual_seed(6)
    torch.manual_seed(6)
    x, y = friedman(args.n, args.dims, gen)
    xt, yt = friedman(args.test, args.dims, gen)
    mu, sd = y.mean(), y.std()
    x, y, xt = x.to("cuda"), ((y - mu) / sd).to("cuda"), xt.to("cuda")

    gp = MaternGP(args.dims).double().to("cuda")
    opt = torch.optim.Adam(gp.parameters(), lr=0.1)
    for i in range(args.iters):
        opt.zero_grad()
        loss = gp.nll(x, y)
        loss.backward()
        opt.step()
        print(f"iter {i} nll/n {loss.item():.4f} noise {gp.noise.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    mean, var = gp.posterior(x, y, xt, args.chunk)
    err = (mean.cpu() * sd + mu - yt)
    print(f"rmse {err.pow(2).mean().sqrt():.3f}  mean predictive sd {(var.clamp(min=0).sqrt().mean() * sd.item()).item():.3f}")


if __name__ == "__main__":
    main()
