# limit: 2.0
# Bayesian optimisation with an exact GP; 1000 new evaluations come in per round
import torch

dev = torch.device("cuda")
gen = torch.Generator(device=dev).manual_seed(42)
D = 8


def objective(x):
    return torch.sin(3 * x).sum(1) + 0.1 * torch.randn(len(x), generator=gen, device=dev)


def rbf(a, b, length, amp):
    diff = (a[:, None, :] - b[None, :, :]) / length
    return amp * torch.exp(-0.5 * diff.pow(2).sum(-1))


class ExactGP:
    def __init__(self, noise=0.1):
        self.noise = noise
        self.length = torch.full((D,), 0.7, device=dev)
        self.amp = 1.0

    def fit(self, X, y):
        self.X = X
        K = rbf(X, X, self.length, self.amp)
        K.diagonal().add_(self.noise ** 2)
        self.L = torch.linalg.cholesky(K)
        self.alpha = torch.cholesky_solve(y[:, None], self.L)
        return self

    def predict(self, Z):
        k = rbf(Z, self.X, self.length, self.amp)
        mean = (k @ self.alpha).squeeze(1)
        v = torch.linalg.solve_triangular(self.L, k.T, upper=False)
        var = self.amp - v.pow(2).sum(0)
        return mean, var.clamp_min(1e-9)


def main(rounds=10):
    # 20k evaluations at most, kept in one place
    X_all = torch.empty(20_000, D, device=dev)
    y_all = torch.empty(20_000, device=dev)
    n = 1000
    X_all[:n] = torch.rand(n, D, generator=gen, device=dev) * 4 - 2
    y_all[:n] = objective(X_all[:n])
    gp = ExactGP()
    for r in range(rounds):
        gp.fit(X_all[:n], y_all[:n])
        cand = torch.rand(2000, D, generator=gen, device=dev) * 4 - 2
        mean, var = gp.predict(cand)
        ucb = mean + 2 * var.sqrt()
        pick = cand[ucb.topk(1000).indices]
        X_all[n:n + 1000] = pick
        y_all[n:n + 1000] = objective(pick)
        n += 1000
        print(f"round {r}: n={n} best={y_all[:n].max().item():.3f}")


main()
