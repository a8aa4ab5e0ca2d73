"""PINN for the viscous Burgers equation, u_t + u u_x = nu u_xx.

Adam warm-up with resampled collocation points, then a few L-BFGS iterations
on a fixed set, as is usual in the literature.
"""
import math
import time

import torch
import torch.nn as nn

torch.manual_seed(1234)
dev = torch.device("cuda")

N_COLL = 18_000
N_BC = 2_000
N_IC = 4_000
WIDTH = 256
DEPTH = 7
NU = 0.01 / math.pi
ADAM_STEPS = 6
LBFGS_STEPS = 2


class FourierFeatures(nn.Module):
    def __init__(self, in_dim, n_freq, scale=2.0):
        super().__init__()
        self.register_buffer("B", torch.randn(in_dim, n_freq) * scale)

    def forward(self, z):
        p = 2 * math.pi * z @ self.B
        return torch.cat([p.sin(), p.cos(), z], dim=-1)


class AdaptiveTanh(nn.Module):
    """tanh(n * a * x) with trainable slope (Jagtap et al.)."""

    def __init__(self, n=5.0):
        super().__init__()
        self.n = n
        self.a = nn.Parameter(torch.tensor(1.0 / n))

    def forward(self, x):
        return torch.tanh(self.n * self.a * x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ff = FourierFeatures(2, 32)
        dims = [66] + [WIDTH] * DEPTH
        layers = []
        for i, o in zip(dims[:-1], dims[1:]):
            lin = nn.Linear(i, o)
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)
            layers += [lin, AdaptiveTanh()]
        layers.append(nn.Linear(WIDTH, 1))
        self.body = nn.Sequential(*layers)

    def forward(self, x, t):
        return self.body(self.ff(torch.cat([x, t], dim=1)))


def sample(n):
    x = torch.rand(n, 1, device=dev) * 2 - 1
    t = torch.rand(n, 1, device=dev)
    return x.requires_grad_(True), t.requires_grad_(True)


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(net, x, t):
    u = net(x, t)
    u_x = grad(u, x)
    u_t = grad(u, t)
    u_xx = grad(u_x, x)
    return u_t + u * u_x - NU * u_xx


x0 = torch.linspace(-1, 1, N_IC, device=dev)[:, None]
u0 = -torch.sin(math.pi * x0)
t0 = torch.zeros_like(x0)
tb = torch.rand(N_BC, 1, device=dev)
xb = torch.where(torch.rand(N_BC, 1, device=dev) > 0.5, 1.0, -1.0)


def total_loss(net, x, t):
    r = residual(net, x, t)
    pde = r.pow(2).mean()
    ic = (net(x0, t0) - u0).pow(2).mean()
    bc = net(xb, tb).pow(2).mean()
    return pde + 10 * ic + 10 * bc, pde.detach()


net = Net().to(dev)
print("parameters:", sum(p.numel() for p in net.parameters()))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.95)
tic = time.time()
for it in range(ADAM_STEPS):
    x, t = sample(N_COLL)
    opt.zero_grad()
    loss, pde = total_loss(net, x, t)
    loss.backward()
    opt.step()
    sched.step()
    print(f"adam {it} loss {loss.item():.4f} pde {pde.item():.4f}")

x, t = sample(N_COLL)
lbfgs = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=3, history_size=20,
                          line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    l, _ = total_loss(net, x, t)
    l.backward()
    return l


for it in range(LBFGS_STEPS):
    l = lbfgs.step(closure)
    print(f"lbfgs {it} loss {float(l):.4f}")

with torch.no_grad():
    xs = torch.linspace(-1, 1, 256, device=dev)[:, None]
    prof = net(xs, torch.full_like(xs, 0.5))
print("u(0.5) range", prof.min().item(), prof.max().item(), f"{time.time() - tic:.1f}s")
print("peak MB", torch.cuda.max_memory_allocated() / 2**20)
