# limit: 3.0
"""Kernel ridge regression for growing training sets."""
import torch


def make_data(n, d=16, seed=0):
    g = torch.Generator(device="cuda").manual_seed(seed)
    x = torch.randn(n, d, generator=g, device="cuda")
    y = torch.sin(x[:, 0] * 2) + 0.1 * torch.randn(n, generator=g, device="cuda")
    return x, y


def rbf(a, b, gamma=0.05):
    k = torch.cdist(a, b)
    return k.square_().mul_(-gamma).exp_()


def conjugate_gradient(k, y, lam, iters=25):
    x = torch.zeros_like(y)
    r = y.clone()
    p = r.clone()
    rs = r @ r
    for _ in range(iters):
        kp = k @ p + lam * p
        alpha = rs / (p @ kp)
        x += alpha * p
        r -= alpha * kp
        new = r @ r
        p = r + (new / rs) * p
        rs = new
    return x


def evaluate(n):
    x, y = make_data(n, seed=n)
    xt, yt = make_data(500, seed=1)
    k = rbf(x, x)
    alpha = conjugate_gradient(k, y, lam=0.1)
    del k
    pred = rbf(xt, x) @ alpha
    return (pred - yt).square().mean().item()


if __name__ == "__main__":
    for n in [1000, 4000, 10000, 20000, 40000]:
        print(f"n={n:6d}  test mse {evaluate(n):.4f}")
