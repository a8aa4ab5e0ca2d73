"""Exact Gaussian process regression in float64 (ARD RBF + noise), marginal likelihood by Cholesky."""
import math

import torch
import torch.nn.functional as F


class ExactGP(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.raw_lengthscale = torch.nn.Parameter(torch.zeros(dim, dtype=torch.float64))
        self.raw_outputscale = torch.nn.Parameter(torch.zeros((), dtype=torch.float64))
        self.raw_noise = torch.nn.Parameter(torch.tensor(-2.0, dtype=torch.float64))
        self.mean = torch.nn.Parameter(torch.zeros((), dtype=torch.float64))

    def kernel(self, a, b):
        ls = F.softplus(self.raw_lengthscale)
        d2 = torch.cdist(a / ls, b / ls, compute_mode="use_mm_for_euclid_dist").square()
        return F.softplus(self.raw_outputscale) * torch.exp(-0.5 * d2)

    @property
    def noise(self):
        return F.softplus(self.raw_noise) + 1e-5

    def nll(self, x, y):
        n = len(x)
        k = self.kernel(x, x) + self.noise * torch.eye(n, dtype=x.dtype, device=x.device)
        L = torch.linalg.cholesky(k)
        r = (y - self.mean)[:, None]
        alpha = torch.cholesky_solve(r, L)
        return (0.5 * (r * alpha).sum() + L.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)) / n

    @torch.no_grad()
    def predict(self, x, y, xs, chunk=1000):
        k = self.kernel(x, x)
        k.diagonal().add_(self.noise)
        L = torch.linalg.cholesky(k)
        del k
        alpha = torch.cholesky_solve((y - self.mean)[:, None], L)
        means, variances = [], []
        for part in xs.split(chunk):
            ks = self.kernel(part, x)
            means.append(self.mean + (ks @ alpha).squeeze(1))
            v = torch.linalg.solve_triangular(L, ks.t(), upper=False)
            variances.append(F.softplus(self.raw_outputscale) - v.square().sum(0) + self.noise)
        return torch.cat(means), torch.cat(variances)


def make_data(n, dim, device):
    x = torch.rand(n, dim, dtype=torch.float64, device=device) * 2 - 1
    f = torch.sin(3 * x[:, 0]) + x[:, 1] ** 2 - 0.5 * x[:, 2] * x[:, 0]
    return x, f + 0.1 * torch.randn(n, dtype=torch.float64, device=device)


def main(n_train=5000, n_test=3000, dim=6, steps=5):
    torch.manual_seed(17)
    device = torch.device("cuda")
    x, y = make_data(n_train, dim, device)
    xs, ys = make_data(n_test, dim, device)
    gp = ExactGP(dim).to(device)
    opt = torch.optim.Adam(gp.parameters(), lr=0.1)
    for step in range(steps):
        opt.zero_grad()
        loss = gp.nll(x, y)
        loss.backward()
        opt.step()
        print(f"step {step} nll {loss.item():.4f} noise {gp.noise.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    del loss
    opt.zero_grad(set_to_none=True)
    mean, var = gp.predict(x, y, xs)
    rmse = (mean - ys).square().mean().sqrt()
    z = (ys - mean) / var.clamp_min(1e-8).sqrt()
    print(f"rmse {rmse.item():.4f}, calibrated std {z.std().item():.3f}, lengthscales {F.softplus(gp.raw_lengthscale).tolist()[:3]}")
    print(f"overall peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
