"""Exact Gaussian process regression in plain PyTorch: ARD Matern-5/2 + linear kernel, Cholesky, marginal likelihood.

Posterior mean/variance is computed in chunks so that K(test, train) never exists entirely.
"""
import math

import torch
import torch.nn as nn
from sklearn.datasets import make_friedman1

N_TRAIN = 6000
N_TEST = 4000
DIM = 10
ITERS = 5
CHUNK = 1000
dev = "cuda"


class Hyper(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.log_ls = nn.Parameter(torch.zeros(d))
        self.log_sf = nn.Parameter(torch.zeros(()))
        self.log_lin = nn.Parameter(torch.tensor(-2.0))
        self.log_noise = nn.Parameter(torch.tensor(-1.0))
        self.mean = nn.Parameter(torch.zeros(()))

    def kernel(self, a, b):
        a_s, b_s = a / self.log_ls.exp(), b / self.log_ls.exp()
        d2 = (a_s.pow(2).sum(1)[:, None] + b_s.pow(2).sum(1)[None] - 2 * a_s @ b_s.T).clamp(min=1e-10)
        r = math.sqrt(5.0) * d2.sqrt()
        matern = (1 + r + r * r / 3) * torch.exp(-r)
        return self.log_sf.exp() ** 2 * matern + self.log_lin.exp() * (a @ b.T)

    def diag(self, a):
        return self.log_sf.exp() ** 2 + self.log_lin.exp() * a.pow(2).sum(1)


def nll(h, x, y):
    n = len(y)
    k = h.kernel(x, x) + (h.log_noise.exp() + 1e-4) * torch.eye(n, device=x.device)
    chol = torch.linalg.cholesky(k)
    r = (y - h.mean).unsqueeze(1)
    alpha = torch.cholesky_solve(r, chol)
    fit = 0.5 * (r * alpha).sum()
    return (fit + chol.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)) / n


@torch.no_grad()
def predict(h, x, y, xs):
    k = h.kernel(x, x)
    k.diagonal().add_(h.log_noise.exp() + 1e-4)
    chol = torch.linalg.cholesky(k)
    del k
    alpha = torch.cholesky_solve((y - h.mean).unsqueeze(1), chol)
    mu, var = [], []
    for c in xs.split(CHUNK):
        ks = h.kernel(c, x)
        mu.append(h.mean + (ks @ alpha).squeeze(1))
        v = torch.linalg.solve_triangular(chol, ks.T, upper=False)
        var.append(h.diag(c) - v.pow(2).sum(0) + h.log_noise.exp())
    return torch.cat(mu), torch.cat(var).clamp(min=1e-6)


def main():
    torch.manual_seed(0)
    X, Y = make_friedman1(N_TRAIN + N_TEST, n_features=DIM, noise=0.5, random_state=0)
    X = torch.tensor(X, dtype=torch.float32)
    Y = torch.tensor(Y, dtype=torch.float32)
    Y = (Y - Y.mean()) / Y.std()
    x, y = X[:N_TRAIN].to(dev), Y[:N_TRAIN].to(dev)
    xs, ys = X[N_TRAIN:].to(dev), Y[N_TRAIN:].to(dev)

    h = Hyper(DIM).to(dev)
    opt = torch.optim.Rprop(h.parameters(), lr=0.05)
    for i in range(ITERS):
        opt.zero_grad()
        loss = nll(h, x, y)
        loss.backward()
        opt.step()
        print(f"iter {i}: nll/n {loss.item():.4f} noise {h.log_noise.exp().item():.3f} "
              f"ls[:3] {[round(v, 2) for v in h.log_ls.exp()[:3].tolist()]}")
    print(f"training peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    mu, var = predict(h, x, y, xs)
    rmse = (mu - ys).pow(2).mean().sqrt().item()
    lpd = (-0.5 * ((ys - mu) ** 2 / var + var.log() + math.log(2 * math.pi))).mean().item()
    inside = ((ys - mu).abs() < 1.96 * var.sqrt()).float().mean().item()
    print(f"rmse {rmse:.3f} lpd {lpd:.3f} 95% coverage {inside:.3f}")
    print(f"overall peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
