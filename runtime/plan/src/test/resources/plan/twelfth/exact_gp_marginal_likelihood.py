"""Exact Gaussian process regression: Matern-5/2 ARD, Cholesky, marginal likelihood by autograd, float64, RProp."""
import math

import torch

N_TRAIN, N_TEST, DIM = 4000, 3000, 8
ITERS = 5
JITTER = 1e-6


def matern52(a, b, log_ls, log_sf):
    a, b = a / log_ls.exp(), b / log_ls.exp()
    d2 = (a * a).sum(1)[:, None] + (b * b).sum(1)[None] - 2 * a @ b.T
    r = (5 * d2.clamp(min=1e-12)).sqrt()
    return (2 * log_sf).exp() * (1 + r + r * r / 3) * torch.exp(-r)


def neg_mll(x, y, params):
    n = len(x)
    K = matern52(x, x, params["log_ls"], params["log_sf"])
    K = K + (2 * params["log_sn"]).exp() * torch.eye(n, device=x.device, dtype=x.dtype)
    L = torch.linalg.cholesky(K)
    alpha = torch.cholesky_solve((y - params["mean"])[:, None], L)
    quad = (y - params["mean"]) @ alpha[:, 0]
    return 0.5 * (quad + 2 * L.diagonal().log().sum() + n * math.log(2 * math.pi)) / n


@torch.no_grad()
def predict(x, y, xs, params):
    K = matern52(x, x, params["log_ls"], params["log_sf"])
    K.diagonal().add_((2 * params["log_sn"]).exp() + JITTER)
    L = torch.linalg.cholesky(K)
    Ks = matern52(x, xs, params["log_ls"], params["log_sf"])
    mean = params["mean"] + Ks.T @ torch.cholesky_solve((y - params["mean"])[:, None], L)[:, 0]
    V = torch.linalg.solve_triangular(L, Ks, upper=False)
    var = (2 * params["log_sf"]).exp() - (V * V).sum(0)
    return mean, var.clamp(min=0) + (2 * params["log_sn"]).exp()


def main():
    torch.manual_seed(55)
    kw = dict(device="cuda", dtype=torch.float64)
    x = torch.rand(N_TRAIN + N_TEST, DIM, **kw)
    f = torch.sin(4 * x[:, 0]) + x[:, 1] ** 2 - x[:, 2] * x[:, 3]
    y = f + 0.1 * torch.randn(len(f), **kw)
    xt, yt, xs, ys = x[:N_TRAIN], y[:N_TRAIN], x[N_TRAIN:], y[N_TRAIN:]
    params = {
        "log_ls": torch.zeros(DIM, **kw).requires_grad_(),
        "log_sf": torch.zeros((), **kw).requires_grad_(),
        "log_sn": torch.tensor(-1.0, **kw).requires_grad_(),
        "mean": torch.zeros((), **kw).requires_grad_(),
    }
    opt = torch.optim.Rprop(params.values(), lr=0.05, step_sizes=(1e-5, 0.5))
    for i in range(ITERS):
        opt.zero_grad()
        loss = neg_mll(xt, yt, params)
        loss.backward()
        opt.step()
        print(f"iter {i} nmll/n {loss.item():.5f} noise {params['log_sn'].exp().item():.4f}")
        del loss
    mean, var = predict(xt, yt, xs, params)
    rmse = (mean - ys).pow(2).mean().sqrt()
    nlpd = 0.5 * ((mean - ys) ** 2 / var + var.log() + math.log(2 * math.pi)).mean()
    print(f"test rmse {rmse.item():.4f} nlpd {nlpd.item():.4f}")
    print("lengthscales", [round(v, 2) for v in params["log_ls"].exp().tolist()])
    print("peak %.0f MiB" % (torch.cuda.max_memory_allocated() / 2**20))


if __name__ == "__main__":
    main()
