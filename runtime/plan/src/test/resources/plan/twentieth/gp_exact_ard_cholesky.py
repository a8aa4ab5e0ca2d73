"""Exact Gaussian process regression (ARD Matern 5/2) by maximizing the marginal likelihood, Cholesky on GPU."""
import argparse
import math

import torch
from sklearn.preprocessing import StandardScaler
from torch import nn


class ExactGP(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.log_ls = nn.Parameter(torch.zeros(dim))
        self.log_sf = nn.Parameter(torch.zeros(()))
        self.log_sn = nn.Parameter(torch.tensor(-1.0))
        self.mean = nn.Parameter(torch.zeros(()))

    def kernel(self, a, b):
        a, b = a / self.log_ls.exp(), b / self.log_ls.exp()
        d2 = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.t()
        r = (5 * d2.clamp_min(1e-12)).sqrt()
        return (2 * self.log_sf).exp() * (1 + r + r * r / 3) * torch.exp(-r)

    def chol(self, x):
        K = self.kernel(x, x)
        noise = (2 * self.log_sn).exp() + 1e-4
        return torch.linalg.cholesky(K + noise * torch.eye(len(x), device=x.device, dtype=x.dtype))

    def nll(self, x, y):
        L = self.chol(x)
        r = (y - self.mean)[:, None]
        alpha = torch.linalg.solve_triangular(L, r, upper=False)
        return 0.5 * (alpha.square().sum() + 2 * L.diagonal().log().sum() + len(x) * math.log(2 * math.pi)) / len(x)

    @torch.no_grad()
    def predict(self, x, y, xs, block=1000):
        L = self.chol(x)
        w = torch.cholesky_solve((y - self.mean)[:, None], L)
        mus, vs = [], []
        for part in xs.split(block):
            k = self.kernel(x, part)
            v = torch.linalg.solve_triangular(L, k, upper=False)
            mus.append(self.mean + (k.t() @ w).squeeze(1))
            vs.append((2 * self.log_sf).exp() - v.square().sum(0) + (2 * self.log_sn).exp())
        return torch.cat(mus), torch.cat(vs)


def data(n, d, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, d, generator=g) * 2 - 1
    y = torch.sin(3 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * x[:, 3].abs() + 0.1 * torch.randn(n, generator=g)
    return x, y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=5000)
    ap.add_argument("--n-test", type=int, default=3000)
    ap.add_argument("--dim", type=int, default=8)
    ap.add_argument("--iters", type=int, default=8)
    ap.add_argument("--dtype", default="float64", choices=["float32", "float64"])
    args = ap.parse_args()
    torch.manual_seed(0)
    dtype = getattr(torch, args.dtype)
    x, y = data(args.n, args.dim, 0)
    xt, yt = data(args.n_test, args.dim, 1)
    sc = StandardScaler().fit(x.numpy())
    conv = lambda t: torch.as_tensor(t, dtype=dtype).to("cuda")
    x, xt, y, yt = conv(sc.transform(x.numpy())), conv(sc.transform(xt.numpy())), conv(y), conv(yt)
    gp = ExactGP(args.dim).to("cuda", dtype)
    opt = torch.optim.Adam(gp.parameters(), lr=0.1)
    for it in range(args.iters):
        opt.zero_grad()
        loss = gp.nll(x, y)
        loss.backward()
        opt.step()
        if it % 2 == 0:
            print(f"iter {it} nll/n {loss.item():.4f} noise {gp.log_sn.exp().item():.3f} "
                  f"mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    mu, var = gp.predict(x, y, xt)
    rmse = (mu - yt).square().mean().sqrt().item()
    nlpd = (0.5 * (2 * math.pi * var).log() + 0.5 * (mu - yt).square() / var).mean().item()
    print("lengthscales", [round(v, 2) for v in gp.log_ls.exp().tolist()])
    print(f"rmse {rmse:.4f} nlpd {nlpd:.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
