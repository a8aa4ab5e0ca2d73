"""Kriging of a temperature field with an exact GP in gpytorch (ARD Matern + linear), Cholesky forced for speed here."""
import math
import warnings

import gpytorch
import torch

warnings.filterwarnings("ignore")
torch.manual_seed(6)

N_TRAIN = 5000
N_TEST = 1500
DIMS = 4
STEPS = 5
DEVICE = torch.device("cuda")


def station_data(n, gen):
    x = torch.rand(n, DIMS, generator=gen)
    y = torch.sin(6 * x[:, 0]) * torch.cos(4 * x[:, 1]) + 0.5 * x[:, 2] + 0.1 * torch.sin(20 * x[:, 3])
    return x, y + 0.1 * torch.randn(n, generator=gen)


class FieldGP(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.LinearMean(DIMS)
        matern = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5, ard_num_dims=DIMS))
        self.covar_module = matern + gpytorch.kernels.ScaleKernel(gpytorch.kernels.LinearKernel())

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def train(model, likelihood, x, y):
    model.train()
    likelihood.train()
    mll = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    opt = torch.optim.Adam(model.parameters(), lr=0.1)
    for step in range(STEPS):
        opt.zero_grad()
        loss = -mll(model(x), y)
        loss.backward()
        opt.step()
        noise = likelihood.noise.item()
        print(f"{step} nll {loss.item():.4f} noise {noise:.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def predict(model, likelihood, x):
    model.eval()
    likelihood.eval()
    means, vars_ = [], []
    with torch.no_grad(), gpytorch.settings.fast_pred_var():
        for chunk in x.split(500):
            p = likelihood(model(chunk))
            means.append(p.mean)
            vars_.append(p.variance)
    return torch.cat(means), torch.cat(vars_)


def main():
    gen = torch.Generator().manual_seed(6)
    x, y = station_data(N_TRAIN, gen)
    xt, yt = station_data(N_TEST, gen)
    mu, sd = y.mean(), y.std()
    x, y, xt, yt = (t.to(DEVICE) for t in (x, (y - mu) / sd, xt, (yt - mu) / sd))
    likelihood = gpytorch.likelihoods.GaussianLikelihood(
        noise_constraint=gpytorch.constraints.GreaterThan(1e-4)).to(DEVICE)
    model = FieldGP(x, y, likelihood).to(DEVICE)
    with gpytorch.settings.fast_computations(covar_root_decomposition=False, log_prob=False, solves=False):
        with gpytorch.settings.max_cholesky_size(N_TRAIN + 1):
            train(model, likelihood, x, y)
            mean, var = predict(model, likelihood, xt)
    rmse = (mean - yt).square().mean().sqrt().item()
    nlpd = 0.5 * (math.log(2 * math.pi) + var.log() + (mean - yt).square() / var).mean().item()
    inside = ((mean - yt).abs() < 1.96 * var.sqrt()).float().mean().item()
    print(f"rmse {rmse:.3f} nlpd {nlpd:.3f} 95% coverage {inside:.3f}")
    print("peak GB", torch.cuda.max_memory_allocated() / 1e9)


if __name__ == "__main__":
    main()
