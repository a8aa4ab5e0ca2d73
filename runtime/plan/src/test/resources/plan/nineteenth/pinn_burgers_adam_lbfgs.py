import math

import numpy as np
import torch
import torch.nn as nn

# Physics-informed network for Burgers' equation u_t + u u_x = nu u_xx, inverse problem: nu is learned as well.
# First Adam on resampled points, then L-BFGS with strong Wolfe on a fixed set.

torch.manual_seed(1234)
np.random.seed(1234)
device = torch.device("cuda")
N_COLLOC = 60_000
N_DATA = 4_000
WIDTH, DEPTH = 192, 6
ADAM_STEPS, LBFGS_STEPS = 5, 2
NU_TRUE = 0.01 / math.pi


class FourierFeatures(nn.Module):
    def __init__(self, n, sigma=1.0):
        super().__init__()
        self.register_buffer("B", torch.randn(2, n) * sigma)

    def forward(self, x):
        p = 2 * math.pi * x @ self.B
        return torch.cat([p.sin(), p.cos()], -1)


class PINN(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [FourierFeatures(WIDTH // 2)]
        for _ in range(DEPTH):
            layers += [nn.Linear(WIDTH, WIDTH), nn.Tanh()]
        layers.append(nn.Linear(WIDTH, 1))
        self.net = nn.Sequential(*layers)
        self.log_nu = nn.Parameter(torch.tensor(-4.0))
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(model, x, t):
    x, t = x.requires_grad_(True), t.requires_grad_(True)
    u = model(x, t)
    u_x, u_t = d(u, x), d(u, t)
    u_xx = d(u_x, x)
    return u_t + u * u_x - model.log_nu.exp() * u_xx


def sobol(n, seed):
    p = torch.quasirandom.SobolEngine(2, scramble=True, seed=seed).draw(n).to(device)
    return p[:, :1] * 2 - 1, p[:, 1:]


def pseudo_data(n):
    """measurements: short-time approximation along the characteristics with noise"""
    x, t = sobol(n, 5)
    t = 0.2 * t
    u = -torch.sin(math.pi * x)
    for _ in range(30):
        u = -torch.sin(math.pi * (x - u * t))
    return x, t, u + 0.01 * torch.randn_like(u)


def losses(model, colloc, data):
    f = residual(model, *colloc)
    xd, td, ud = data
    mse_d = (model(xd, td) - ud).square().mean()
    tb = torch.rand(1000, 1, device=device)
    one = torch.ones_like(tb)
    mse_b = model(one, tb).square().mean() + model(-one, tb).square().mean()
    x0 = torch.linspace(-1, 1, 1000, device=device)[:, None]
    mse_i = (model(x0, torch.zeros_like(x0)) + torch.sin(math.pi * x0)).square().mean()
    return f.square().mean(), mse_d, mse_b, mse_i


def total(parts, w=(1.0, 5.0, 1.0, 5.0)):
    return sum(a * b for a, b in zip(w, parts))


def main():
    model = PINN().to(device)
    data = pseudo_data(N_DATA)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 3, 0.5)
    for it in range(ADAM_STEPS):
        parts = losses(model, sobol(N_COLLOC, it), data)
        loss = total(parts)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"adam {it} {loss.item():.4e} [" + " ".join(f"{p.item():.2e}" for p in parts) + "]")
    print("peak after Adam", torch.cuda.max_memory_allocated() >> 20, "MiB")

    del opt, loss, parts
    fixed = sobol(N_COLLOC // 2, 77)
    lbfgs = torch.optim.LBFGS(
        model.parameters(), lr=1.0, max_iter=5, max_eval=7, history_size=20, line_search_fn="strong_wolfe")
    evals = 0

    def closure():
        nonlocal evals
        evals += 1
        lbfgs.zero_grad()
        loss = total(losses(model, fixed, data))
        loss.backward()
        return loss

    for it in range(LBFGS_STEPS):
        loss = lbfgs.step(closure)
        print(f"lbfgs {it} {loss.item():.4e} after {evals} evaluations, nu {model.log_nu.exp().item():.5f} ({NU_TRUE:.5f})")

    gx, gt = torch.meshgrid(torch.linspace(-1, 1, 256), torch.linspace(0, 1, 100), indexing="ij")
    with torch.no_grad():
        u = model(gx.reshape(-1, 1).to(device), gt.reshape(-1, 1).to(device)).view(256, 100)
    print("solution range", round(u.min().item(), 3), round(u.max().item(), 3))
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
