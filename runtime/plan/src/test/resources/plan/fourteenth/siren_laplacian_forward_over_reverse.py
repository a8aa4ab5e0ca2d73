"""Poisson equation with SIREN; Laplacian by forward-over-reverse (torch.func.jvp of grad), gradient hand-applied."""
import math
import torch
from torch import nn
from torch.func import functional_call, grad, jvp, vmap

torch.manual_seed(9)
device = "cuda"
POINTS = 12_000
WIDTH = 256
LAYERS = 4
DIM = 3
ITERS = 6
OMEGA = 15.0


class Sine(nn.Module):
    def __init__(self, i, o, first=False):
        super().__init__()
        self.lin = nn.Linear(i, o)
        b = 1 / i if first else math.sqrt(6 / i) / OMEGA
        nn.init.uniform_(self.lin.weight, -b, b)

    def forward(self, x):
        return torch.sin(OMEGA * self.lin(x))


net = nn.Sequential(Sine(DIM, WIDTH, True), *[Sine(WIDTH, WIDTH) for _ in range(LAYERS - 1)], nn.Linear(WIDTH, 1)).to(device)
params = dict(net.named_parameters())
basis = torch.eye(DIM, device=device)


def u(p, x):
    # boundary condition built in: zero on the cube's faces
    bump = (x * (1 - x)).prod(-1) * 4**DIM
    return functional_call(net, p, (x,)).squeeze(-1) * bump


def laplacian(p, x):
    g = grad(u, argnums=1)

    def along(v):
        return torch.dot(jvp(lambda y: g(p, y), (x,), (v,))[1], v)

    return vmap(along)(basis).sum()


def exact(x):
    return torch.sin(math.pi * x).prod(-1) + 0.2 * torch.sin(2 * math.pi * x).prod(-1)


def source(x):
    s1 = -DIM * math.pi**2 * torch.sin(math.pi * x).prod(-1)
    return s1 - 0.2 * DIM * 4 * math.pi**2 * torch.sin(2 * math.pi * x).prod(-1)


class RMSNormalisedSGD(torch.optim.Optimizer):
    """layer-wise normalised momentum (NovoGrad flavour)"""

    def __init__(self, params, lr=2e-3, momentum=0.9, beta2=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum, beta2=beta2))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                s = self.state[p]
                n2 = p.grad.pow(2).sum()
                if not s:
                    s["v"], s["m"] = n2.clone(), torch.zeros_like(p)
                else:
                    s["v"].mul_(g["beta2"]).add_(n2, alpha=1 - g["beta2"])
                s["m"].mul_(g["momentum"]).add_(p.grad / (s["v"].sqrt() + 1e-8))
                p.add_(s["m"], alpha=-g["lr"])


opt = RMSNormalisedSGD(net.parameters())
lap_batch = vmap(laplacian, in_dims=(None, 0))
sobol = torch.quasirandom.SobolEngine(DIM, scramble=True, seed=1)
for it in range(ITERS):
    x = sobol.draw(POINTS).to(device)
    res = lap_batch(params, x) - source(x)
    loss = (res / 100).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{it} residual {loss.item():.5f}")

with torch.no_grad():
    xs = torch.rand(50_000, DIM, device=device)
    err = (u(params, xs) - exact(xs)).norm() / exact(xs).norm()
print("relative L2 error", err.item())
print("peak GB", torch.cuda.max_memory_allocated() / 1e9, "reserved", torch.cuda.max_memory_reserved() / 1e9)
