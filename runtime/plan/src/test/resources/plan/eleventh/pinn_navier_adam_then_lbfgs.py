"""PINN for 2-D steady incompressible flow (streamfunction-pressure form): third-order derivatives by autograd,
a few Adam steps and then torch LBFGS with strong Wolfe line search."""
import torch
import torch.nn as nn

torch.manual_seed(1)
device = torch.device("cuda")

N_COL = 9_000
N_BND = 2_000
WIDTH = 96
DEPTH = 6
NU = 0.01
ADAM_STEPS = 4
LBFGS_OUTER = 2


class FourierMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("B", torch.randn(2, WIDTH // 2) * 2.0)
        layers = [nn.Linear(WIDTH, WIDTH), nn.Tanh()]
        for _ in range(DEPTH - 1):
            layers += [nn.Linear(WIDTH, WIDTH), nn.Tanh()]
        layers += [nn.Linear(WIDTH, 2)]
        self.net = nn.Sequential(*layers)
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)
                nn.init.zeros_(m.bias)

    def forward(self, xy):
        p = xy @ self.B
        return self.net(torch.cat([p.sin(), p.cos()], -1))


def d(f, x):
    return torch.autograd.grad(f, x, torch.ones_like(f), create_graph=True)[0]


def residual(model, xy):
    xy = xy.clone().requires_grad_(True)
    out = model(xy)
    psi, p = out[:, :1], out[:, 1:]
    g = d(psi, xy)
    u, v = g[:, 1:], -g[:, :1]
    gu, gv, gp = d(u, xy), d(v, xy), d(p, xy)
    uxx, uyy = d(gu[:, :1], xy)[:, :1], d(gu[:, 1:], xy)[:, 1:]
    vxx, vyy = d(gv[:, :1], xy)[:, :1], d(gv[:, 1:], xy)[:, 1:]
    rx = u * gu[:, :1] + v * gu[:, 1:] + gp[:, :1] - NU * (uxx + uyy)
    ry = u * gv[:, :1] + v * gv[:, 1:] + gp[:, 1:] - NU * (vxx + vyy)
    return rx, ry


def velocity(model, xy):
    xy = xy.clone().requires_grad_(True)
    g = d(model(xy)[:, :1], xy)
    return g[:, 1:], -g[:, :1]


def cavity_boundary(n):
    t = torch.rand(n, 1, device=device)
    side = torch.randint(0, 4, (n, 1), device=device)
    x = torch.where(side == 0, torch.zeros_like(t), torch.where(side == 1, torch.ones_like(t), t))
    y = torch.where(side == 2, torch.zeros_like(t), torch.where(side == 3, torch.ones_like(t), t))
    lid = (side == 3).float() * 16 * t ** 2 * (1 - t) ** 2
    return torch.cat([x, y], 1), lid


model = FourierMLP().to(device)
bxy, lid = cavity_boundary(N_BND)


def loss_fn(xy):
    rx, ry = residual(model, xy)
    u, v = velocity(model, bxy)
    return rx.pow(2).mean() + ry.pow(2).mean() + 10 * ((u - lid).pow(2).mean() + v.pow(2).mean())


adam = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(ADAM_STEPS):
    loss = loss_fn(torch.rand(N_COL, 2, device=device))
    adam.zero_grad()
    loss.backward()
    adam.step()
    print(f"adam {step} loss {loss.item():.4e} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

fixed = torch.rand(N_COL, 2, device=device)
lbfgs = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=4, history_size=20, line_search_fn="strong_wolfe")
calls = 0


def closure():
    global calls
    calls += 1
    lbfgs.zero_grad()
    value = loss_fn(fixed)
    value.backward()
    return value


for outer in range(LBFGS_OUTER):
    value = lbfgs.step(closure)
    print(f"lbfgs {outer} start loss {float(value):.4e} closures {calls}")
with torch.no_grad():
    grid = torch.rand(50_000, 2, device=device)
    print("psi range", float(model(grid)[:, 0].min()), float(model(grid)[:, 0].max()),
          "peak", torch.cuda.max_memory_allocated() >> 20, "MiB")
