"""Physics-informed network for viscous Burgers: Adam warm-up, then LBFGS with strong-Wolfe line search.

Second derivatives by autograd; residual-weighted resampling of collocation points between the stages.
"""
import math
import time

import torch
import torch.nn as nn

NU = 0.01 / math.pi
N_COLLOC = 40_000
N_BC = 2_000
WIDTH, DEPTH = 128, 7
ADAM_STEPS = 4
LBFGS_ITERS = 4


class FourierMLP(nn.Module):
    def __init__(self, width, depth, feats=32):
        super().__init__()
        self.register_buffer("B", torch.randn(2, feats))
        dims = [2 * feats] + [width] * depth + [1]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(dims, dims[1:])])
        for l in self.layers:
            nn.init.xavier_normal_(l.weight)
            nn.init.zeros_(l.bias)
        self.slopes = nn.Parameter(torch.ones(depth))

    def forward(self, t, x):
        z = torch.cat([t, x], 1) @ self.B * math.pi
        h = torch.cat([z.sin(), z.cos()], 1)
        for s, l in zip(self.slopes, self.layers[:-1]):
            h = torch.tanh(s * l(h))
        return self.layers[-1](h)


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(net, t, x):
    t = t.requires_grad_(True)
    x = x.requires_grad_(True)
    u = net(t, x)
    ux = d(u, x)
    return d(u, t) + u * ux - NU * d(ux, x)


class Problem:
    def __init__(self, device):
        self.device = device
        self.resample()
        x0 = torch.rand(N_BC, 1, device=device) * 2 - 1
        self.ic = (torch.zeros_like(x0), x0, -torch.sin(math.pi * x0))
        tb = torch.rand(N_BC, 1, device=device)
        xb = torch.where(torch.rand_like(tb) > 0.5, 1.0, -1.0)
        self.bc = (tb, xb)

    def resample(self):
        self.t = torch.rand(N_COLLOC, 1, device=self.device)
        self.x = torch.rand(N_COLLOC, 1, device=self.device) * 2 - 1

    def focus(self, net, keep=0.5):
        """keep the worst points, redraw the others"""
        r = torch.cat([residual(net, a, b).detach() for a, b in zip(self.t.split(10_000), self.x.split(10_000))])
        k = int(keep * N_COLLOC)
        worst = r.abs().flatten().topk(k).indices
        t, x = self.t.detach()[worst], self.x.detach()[worst]
        self.resample()
        self.t[:k], self.x[:k] = t, x

    def loss(self, net):
        pde = residual(net, self.t.detach().clone(), self.x.detach().clone()).square().mean()
        ic = (net(*self.ic[:2]) - self.ic[2]).square().mean()
        bc = net(*self.bc).square().mean()
        return pde + 10 * ic + 10 * bc, (pde.item(), ic.item(), bc.item())


def main():
    torch.manual_seed(77)
    device = torch.device("cuda")
    net = FourierMLP(WIDTH, DEPTH).to(device)
    prob = Problem(device)
    t0 = time.time()

    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    for i in range(ADAM_STEPS):
        loss, parts = prob.loss(net)
        adam.zero_grad()
        loss.backward()
        adam.step()
        print(f"adam {i}: {loss.item():.4e} pde {parts[0]:.2e} ic {parts[1]:.2e} bc {parts[2]:.2e}")
    prob.focus(net)
    del adam
    print(f"after adam: peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")

    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=LBFGS_ITERS, max_eval=8, history_size=20,
                              line_search_fn="strong_wolfe")
    calls = 0

    def closure():
        nonlocal calls
        calls += 1
        lbfgs.zero_grad()
        loss, _ = prob.loss(net)
        loss.backward()
        return loss

    final = lbfgs.step(closure)
    print(f"lbfgs: start {final.item():.4e}, {calls} evaluations")
    with torch.no_grad():
        xs = torch.linspace(-1, 1, 512, device=device)[:, None]
        u = net(torch.full_like(xs, 0.5), xs)
    print(f"u(0.5, .) in [{u.min().item():.3f}, {u.max().item():.3f}]; {time.time() - t0:.1f}s")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
