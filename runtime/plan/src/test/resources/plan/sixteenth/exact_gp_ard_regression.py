"""Exact Gaussian-process regression with an ARD RBF + linear kernel, marginal likelihood by Cholesky."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class ExactGP(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.raw_ls = nn.Parameter(torch.full((d,), 0.5))
        self.raw_os = nn.Parameter(torch.tensor(0.5))
        self.raw_lin = nn.Parameter(torch.tensor(-2.0))
        self.raw_noise = nn.Parameter(torch.tensor(-2.0))
        self.mean = nn.Parameter(torch.zeros(()))

    @property
    def noise(self):
        return F.softplus(self.raw_noise) + 1e-4

    def kernel(self, a, b):
        ls = F.softplus(self.raw_ls)
        x, y = a / ls, b / ls
        d2 = (x.pow(2).sum(-1)[:, None] + y.pow(2).sum(-1)[None] - 2 * x @ y.T).clamp_min(0)
        return F.softplus(self.raw_os) * torch.exp(-0.5 * d2) + F.softplus(self.raw_lin) * (a @ b.T)

    def neg_mll(self, x, y):
        n = len(y)
        K = self.kernel(x, x) + self.noise * torch.eye(n, device=x.device)
        L = torch.linalg.cholesky(K)
        r = (y - self.mean)[:, None]
        alpha = torch.cholesky_solve(r, L)
        quad = (r * alpha).sum()
        logdet = 2 * L.diagonal().log().sum()
        return 0.5 * (quad + logdet + n * math.log(2 * math.pi)) / n

    @torch.no_grad()
    def predict(self, x, y, xs, chunk=1024):
        K = self.kernel(x, x)
        K.diagonal().add_(self.noise)
        L = torch.linalg.cholesky(K)
        alpha = torch.cholesky_solve((y - self.mean)[:, None], L)
        mus, vars_ = [], []
        for c in xs.split(chunk):
            ks = self.kernel(x, c)
            mus.append(self.mean + (ks.T @ alpha).squeeze(-1))
            v = torch.linalg.solve_triangular(L, ks, upper=False)
            prior = F.softplus(self.raw_os) + F.softplus(self.raw_lin) * c.pow(2).sum(-1)
            vars_.append(prior - v.pow(2).sum(0) + self.noise)
        return torch.cat(mus), torch.cat(vars_)


def target_fn(x):
    return torch.sin(2 * x[:, 0]) * torch.cos(x[:, 1]) + 0.5 * x[:, 2]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=5000)
    ap.add_argument("--n-test", type=int, default=3000)
    ap.add_argument("--dim", type=int, default=6)
    ap.add_argument("--steps", type=int, default=6)
    args = ap.parse_args()
    torch.manual_seed(0)
    dev = torch.device("cuda")
    x = torch.randn(args.n, args.dim, device=dev)
    y = target_fn(x) + 0.1 * torch.randn(args.n, device=dev)
    xs = torch.randn(args.n_test, args.dim, device=dev)
    ys = target_fn(xs)
    gp = ExactGP(args.dim).to(dev)
    opt = torch.optim.Rprop(gp.parameters(), lr=0.05)
    for step in range(args.steps):
        opt.zero_grad()
        loss = gp.neg_mll(x, y)
        loss.backward()
        opt.step()
        print(f"step {step} nll {loss.item():.4f} noise {gp.noise.item():.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    ls = F.softplus(gp.raw_ls).detach().cpu()
    print("lengthscales", [round(v, 3) for v in ls.tolist()])
    del loss
    opt.zero_grad(set_to_none=True)
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    mu, var = gp.predict(x, y, xs)
    rmse = (mu - ys).pow(2).mean().sqrt().item()
    inside = ((mu - ys).abs() < 2 * var.clamp_min(1e-6).sqrt()).float().mean().item()
    print(f"rmse {rmse:.4f} coverage {inside:.3f} predict peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
