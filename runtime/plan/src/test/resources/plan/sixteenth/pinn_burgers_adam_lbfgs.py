"""Physics-informed network for the viscous Burgers equation: Adam first, L-BFGS afterwards."""
import math

import torch
import torch.nn as nn

N_COLLOC, N_BOUND, N_INIT = 40_000, 400, 800
WIDTH, DEPTH = 128, 6
NU = 0.01 / math.pi
ADAM_STEPS = 5
LBFGS_STEPS, LBFGS_ITERS = 2, 4
device = torch.device("cuda")


class PINN(nn.Module):
    def __init__(self):
        super().__init__()
        sizes = [2] + [WIDTH] * DEPTH + [1]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        for l in self.layers:
            nn.init.xavier_normal_(l.weight)
            nn.init.zeros_(l.bias)

    def forward(self, t, x):
        h = torch.stack([2 * t - 1, x], -1)
        for l in self.layers[:-1]:
            h = torch.tanh(l(h))
        return self.layers[-1](h).squeeze(-1)


def residual(net, t, x):
    t.requires_grad_(True)
    x.requires_grad_(True)
    u = net(t, x)
    u_t, u_x = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
    u_xx = torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    return u_t + u * u_x - NU * u_xx


def sobol(n, seed):
    pts = torch.quasirandom.SobolEngine(2, scramble=True, seed=seed).draw(n)
    return pts[:, 0].to(device), (2 * pts[:, 1] - 1).to(device)


class Problem:
    def __init__(self):
        self.tc, self.xc = sobol(N_COLLOC, 0)
        self.x0 = 2 * torch.rand(N_INIT, device=device) - 1
        self.u0 = -torch.sin(math.pi * self.x0)
        self.tb = torch.rand(N_BOUND, device=device)

    def losses(self, net):
        f = residual(net, self.tc, self.xc)
        ic = net(torch.zeros_like(self.x0), self.x0) - self.u0
        one = torch.ones_like(self.tb)
        bc = torch.cat([net(self.tb, one), net(self.tb, -one)])
        return f.pow(2).mean(), ic.pow(2).mean(), bc.pow(2).mean()

    @torch.no_grad()
    def resample(self, net_residual, keep=0.5):
        """Residual-based refinement: keep the worst points, redraw the rest."""
        k = int(N_COLLOC * keep)
        top = net_residual.abs().topk(k).indices
        t, x = sobol(N_COLLOC - k, 17)
        self.tc = torch.cat([self.tc.detach()[top], t])
        self.xc = torch.cat([self.xc.detach()[top], x])


def main():
    torch.manual_seed(0)
    net, prob = PINN().to(device), Problem()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(ADAM_STEPS):
        f, ic, bc = prob.losses(net)
        loss = f + 10 * ic + bc
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"adam {step} total {loss.item():.4e} pde {f.item():.3e} ic {ic.item():.3e} bc {bc.item():.3e}")
    print("adam peak MiB", torch.cuda.max_memory_allocated() // 2**20)
    del f, ic, bc, loss

    prob.resample(residual(net, prob.tc, prob.xc).detach())
    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=LBFGS_ITERS, history_size=20,
                              line_search_fn="strong_wolfe", tolerance_grad=1e-9)
    calls = 0

    def closure():
        nonlocal calls
        calls += 1
        lbfgs.zero_grad()
        f, ic, bc = prob.losses(net)
        loss = f + 10 * ic + bc
        loss.backward()
        return loss

    for step in range(LBFGS_STEPS):
        loss = lbfgs.step(closure)
        print(f"lbfgs {step} total {loss.item():.4e} closure calls {calls}")

    with torch.no_grad():
        g = torch.linspace(-1, 1, 257, device=device)
        tt, xx = torch.meshgrid(torch.linspace(0, 1, 101, device=device), g, indexing="ij")
        u = net(tt.reshape(-1), xx.reshape(-1)).view(101, 257)
    print(f"u range {u.min().item():.3f}..{u.max().item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
