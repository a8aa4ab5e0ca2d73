# Exact Gaussian process regression in float64 by Cholesky; ARD Matern kernel; hyperparameters by L-BFGS.
import math
import numpy as np
import torch
from scipy.stats import qmc

torch.set_default_dtype(torch.float64)
torch.manual_seed(0)
DEV = "cuda"
N = 3500
M = 2000
D = 6


def friedman(x):
    return 10 * torch.sin(math.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]


sob = qmc.Sobol(D, seed=1).random(2 ** math.ceil(math.log2(N + M)))[: N + M]
X = torch.from_numpy(np.ascontiguousarray(sob)).to(DEV)
Y = friedman(X)
Y = (Y - Y.mean()) / Y.std() + 0.1 * torch.randn(N + M, device=DEV)
xtr, ytr, xte, yte = X[:N], Y[:N], X[N:], Y[N:]


class GP(torch.nn.Module):
    def __init__(self, d):
        super().__init__()
        self.log_ls = torch.nn.Parameter(torch.zeros(d))
        self.log_amp = torch.nn.Parameter(torch.zeros(()))
        self.log_noise = torch.nn.Parameter(torch.tensor(-3.0))
        self.mean = torch.nn.Parameter(torch.zeros(()))

    def kernel(self, a, b):
        a, b = a * torch.exp(-self.log_ls), b * torch.exp(-self.log_ls)
        d2 = (a.pow(2).sum(1)[:, None] + b.pow(2).sum(1)[None] - 2 * a @ b.T).clamp_min(1e-12)
        r = math.sqrt(5) * d2.sqrt()
        return torch.exp(2 * self.log_amp) * (1 + r + r * r / 3) * torch.exp(-r)

    def chol(self, x):
        K = self.kernel(x, x)
        jitter = torch.exp(self.log_noise) + 1e-6
        return torch.linalg.cholesky(K + jitter * torch.eye(len(x), device=x.device))

    def nll(self, x, y):
        L = self.chol(x)
        r = (y - self.mean)[:, None]
        alpha = torch.cholesky_solve(r, L)
        ll = -0.5 * (r * alpha).sum() - L.diagonal().log().sum() - 0.5 * len(x) * math.log(2 * math.pi)
        prior = -0.5 * (self.log_ls.pow(2).sum() + (self.log_noise + 3).pow(2))
        return -(ll + prior) / len(x)

    @torch.no_grad()
    def predict(self, x, y, xs):
        L = self.chol(x)
        Ks = self.kernel(x, xs)
        A = torch.linalg.solve_triangular(L, Ks, upper=False)
        w = torch.cholesky_solve((y - self.mean)[:, None], L)
        mu = self.mean + (Ks.T @ w).squeeze(1)
        var = torch.exp(2 * self.log_amp) - A.pow(2).sum(0) + torch.exp(self.log_noise)
        return mu, var.clamp_min(1e-9)

    @torch.no_grad()
    def sample_paths(self, x, y, xs, n):
        """joint posterior samples, needs the full covariance"""
        L = self.chol(x)
        Ks = self.kernel(x, xs)
        A = torch.linalg.solve_triangular(L, Ks, upper=False)
        cov = self.kernel(xs, xs) - A.T @ A + 1e-5 * torch.eye(len(xs), device=xs.device)
        Lc = torch.linalg.cholesky(cov)
        mu = self.mean + (Ks.T @ torch.cholesky_solve((y - self.mean)[:, None], L)).squeeze(1)
        return mu[:, None] + Lc @ torch.randn(len(xs), n, device=xs.device)


gp = GP(D).to(DEV)
opt = torch.optim.LBFGS(gp.parameters(), lr=0.2, max_iter=4, history_size=10)


def closure():
    opt.zero_grad()
    loss = gp.nll(xtr, ytr)
    loss.backward()
    return loss


for it in range(3):
    loss = opt.step(closure)
    print(f"{it} nll/n {loss.item():.4f} noise {gp.log_noise.exp().item():.4f} ls {[round(v, 2) for v in gp.log_ls.exp().tolist()]}")

mu, var = gp.predict(xtr, ytr, xte)
rmse = (mu - yte).pow(2).mean().sqrt()
nlpd = 0.5 * (torch.log(2 * math.pi * var) + (yte - mu) ** 2 / var).mean()
print(f"rmse {rmse.item():.4f} nlpd {nlpd.item():.4f}")
s = gp.sample_paths(xtr, ytr, xte[:1000], 64)
print("sample spread", s.std(1).mean().item(), "peak GB", torch.cuda.max_memory_allocated() / 1e9)
