# limit: 1.2
# SGLD for a Bayesian linear model with many parallel chains
import torch

torch.manual_seed(99)
dev = "cuda"


class Posterior:
    def __init__(self, n=4096, d=4096):
        self.X = torch.randn(n, d, device=dev) / d ** 0.5
        self.y = self.X @ torch.randn(d, 1, device=dev) + 0.1 * torch.randn(n, 1, device=dev)
        self.n = n

    def grad(self, theta, batch=256):
        idx = torch.randint(0, self.n, (batch,), device=dev)
        xb, yb = self.X[idx], self.y[idx]
        resid = xb @ theta - yb
        return (self.n / batch) * (xb.T @ resid) / 0.01 + theta


class SGLD:
    def __init__(self, target, chains=4096, d=4096, lr=1e-6):
        self.target, self.lr = target, lr
        self.theta = torch.zeros(d, chains, device=dev)
        self.draws = []
        self.t = 0

    def step(self):
        g = self.target.grad(self.theta)
        self.theta.add_(g, alpha=-0.5 * self.lr)
        self.theta.add_(torch.randn_like(self.theta), alpha=self.lr ** 0.5)
        self.t += 1

    def run(self, n_steps, burn_in, thin):
        for _ in range(n_steps):
            self.step()
            if self.t > burn_in and self.t % thin == 0:
                self.draws.append(self.theta.clone())
            if self.t % 100 == 0:
                print(f"t={self.t} draws={len(self.draws)} "
                      f"|theta|={self.theta.norm().item():.3f}")

    def mean(self):
        out = torch.zeros_like(self.theta)
        for d in self.draws:
            out += d
        return out / max(1, len(self.draws))


sampler = SGLD(Posterior())
sampler.run(n_steps=1000, burn_in=200, thin=10)
print("posterior mean norm", sampler.mean().norm().item())
