"""Physics-informed network for Burgers' equation  u_t + u u_x = nu u_xx  (second derivatives by autograd).

A few Adam iterations, then L-BFGS with strong Wolfe line search. float64 throughout.
"""
import math
import time

import torch
import torch.nn as nn

torch.manual_seed(1234)
torch.set_default_dtype(torch.float64)
device = torch.device("cuda")

NU = 0.01 / math.pi
N_COLLOC = 60_000
N_BC = 2_000
WIDTH = 96
DEPTH = 6
ADAM_ITERS = 4
LBFGS_OUTER = 2


class FourierMLP(nn.Module):
    def __init__(self, width=WIDTH, depth=DEPTH, bands=16):
        super().__init__()
        self.register_buffer("B", torch.randn(2, bands))
        layers = [nn.Linear(2 + 2 * bands, width), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.Tanh()]
        layers.append(nn.Linear(width, 1))
        self.net = nn.Sequential(*layers)
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, x, t):
        xt = torch.cat([x, t], 1)
        p = xt @ self.B
        return self.net(torch.cat([xt, p.sin(), p.cos()], 1))


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Problem:
    def __init__(self):
        g = torch.quasirandom.SobolEngine(2, scramble=True, seed=3)
        pts = g.draw(N_COLLOC, dtype=torch.float64).to(device)
        self.x = (pts[:, :1] * 2 - 1).requires_grad_(True)
        self.t = pts[:, 1:].clone().requires_grad_(True)
        self.x0 = torch.linspace(-1, 1, N_BC, device=device).unsqueeze(1)
        self.u0 = -torch.sin(math.pi * self.x0)
        self.tb = torch.linspace(0, 1, N_BC, device=device).unsqueeze(1)

    def residual(self, net):
        u = net(self.x, self.t)
        u_x, u_t = grad(u, self.x), grad(u, self.t)
        u_xx = grad(u_x, self.x)
        return u_t + u * u_x - NU * u_xx

    def loss(self, net):
        pde = self.residual(net).pow(2).mean()
        ic = (net(self.x0, torch.zeros_like(self.x0)) - self.u0).pow(2).mean()
        left = net(-torch.ones_like(self.tb), self.tb).pow(2).mean()
        right = net(torch.ones_like(self.tb), self.tb).pow(2).mean()
        return pde + 10 * ic + 10 * (left + right), pde.detach(), ic.detach()


def main():
    net = FourierMLP().to(device)
    prob = Problem()
    print("parameters:", sum(p.numel() for p in net.parameters()))

    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    for i in range(ADAM_ITERS):
        adam.zero_grad()
        loss, pde, ic = prob.loss(net)
        loss.backward()
        adam.step()
    print(f"after Adam: {loss.item():.4e} (pde {pde.item():.2e}, ic {ic.item():.2e})")

    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=5, max_eval=8, history_size=20,
                              line_search_fn="strong_wolfe")
    evals = 0

    def closure():
        nonlocal evals
        evals += 1
        lbfgs.zero_grad()
        value, _, _ = prob.loss(net)
        value.backward()
        return value

    start = time.time()
    for outer in range(LBFGS_OUTER):
        value = lbfgs.step(closure)
        print(f"L-BFGS {outer}: {value.item():.4e}, {evals} evaluations, {time.time() - start:.1f}s")

    with torch.no_grad():
        xs = torch.linspace(-1, 1, 512, device=device)
        grid_x, grid_t = torch.meshgrid(xs, torch.linspace(0, 1, 256, device=device), indexing="ij")
        u = net(grid_x.reshape(-1, 1), grid_t.reshape(-1, 1))
    print(f"u in [{u.min().item():.3f}, {u.max().item():.3f}]")
    print(f"peak memory {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
