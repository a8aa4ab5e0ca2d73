# Lid-driven cavity PINN (stream function - pressure), Adam warm-up, then L-BFGS with strong Wolfe
import time

import torch
import torch.nn as nn

N_F, N_B = 10000, 2000
WIDTH, DEPTH = 96, 6
RE = 100.0
ADAM_STEPS, LBFGS_STEPS = 4, 1
dev = torch.device("cuda")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layers, d = [], 2
        for _ in range(DEPTH):
            layers += [nn.Linear(d, WIDTH), nn.Tanh()]
            d = WIDTH
        self.f = nn.Sequential(*layers, nn.Linear(d, 2))
        for m in self.f:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)

    def forward(self, xy):
        return self.f(2 * xy - 1)


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def velocity(net, xy):
    psi_p = net(xy)
    psi, p = psi_p[:, :1], psi_p[:, 1:]
    g = grad(psi, xy)
    return g[:, 1:], -g[:, :1], p


def residual(net, xy):
    u, v, p = velocity(net, xy)
    gu, gv, gp = grad(u, xy), grad(v, xy), grad(p, xy)
    lap = lambda g: grad(g[:, :1], xy)[:, :1] + grad(g[:, 1:], xy)[:, 1:]
    rx = u * gu[:, :1] + v * gu[:, 1:] + gp[:, :1] - lap(gu) / RE
    ry = u * gv[:, :1] + v * gv[:, 1:] + gp[:, 1:] - lap(gv) / RE
    return rx, ry


def boundary(n):
    s = torch.rand(n, 1, device=dev)
    side = torch.randint(0, 4, (n, 1), device=dev)
    x = torch.where(side == 0, 0.0, torch.where(side == 1, 1.0, s))
    y = torch.where(side == 2, 0.0, torch.where(side == 3, 1.0, s))
    return torch.cat([x, y], 1), (side == 3).float()


def main():
    torch.manual_seed(1883)
    net = Net().to(dev)
    xf = torch.rand(N_F, 2, device=dev, requires_grad=True)
    xb, lid = boundary(N_B)
    xb.requires_grad_(True)

    def total():
        rx, ry = residual(net, xf)
        ub, vb, _ = velocity(net, xb)
        return (rx**2).mean() + (ry**2).mean() + 10 * (((ub - lid) ** 2).mean() + (vb**2).mean())

    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    t0 = time.time()
    for i in range(ADAM_STEPS):
        opt.zero_grad(set_to_none=True)
        loss = total()
        loss.backward()
        opt.step()
        print(f"adam {i} {loss.item():.5f} ({time.time() - t0:.1f}s)")

    lb = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=8, history_size=20, line_search_fn="strong_wolfe")

    def closure():
        lb.zero_grad()
        loss = total()
        loss.backward()
        return loss

    for i in range(LBFGS_STEPS):
        print("lbfgs", i, lb.step(closure).item())

    g = torch.linspace(0, 1, 101, device=dev)
    grid = torch.cartesian_prod(g, g).requires_grad_(True)
    u, v, _ = velocity(net, grid)
    print("max speed", (u**2 + v**2).sqrt().max().item())
    print("peak", torch.cuda.max_memory_allocated() / 2**20, "MiB")


if __name__ == "__main__":
    main()
