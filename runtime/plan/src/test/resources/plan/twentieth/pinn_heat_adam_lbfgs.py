"""Physics-informed network for the 2-D heat equation u_t = a (u_xx + u_yy): Adam, then L-BFGS. Float32."""
import math

import torch
import torch.nn as nn


class FourierMLP(nn.Module):
    def __init__(self, width=256, depth=6, n_freq=64, sigma=1.0):
        super().__init__()
        self.register_buffer("B", torch.randn(3, n_freq) * sigma)
        dims = [2 * n_freq] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, 1)
        for m in self.hidden:
            nn.init.xavier_normal_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, xyt):
        z = xyt @ self.B
        h = torch.cat([z.sin(), z.cos()], -1)
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


class HeatProblem:
    def __init__(self, net, n_interior=16000, n_boundary=2000, n_initial=4000, alpha=0.05, device="cuda"):
        self.net, self.alpha, self.device = net, alpha, device
        r = lambda n: torch.rand(n, 3, device=device)
        self.interior = r(n_interior).requires_grad_(True)
        b = r(n_boundary * 4)
        for k, (axis, val) in enumerate(((0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0))):
            b[k * n_boundary:(k + 1) * n_boundary, axis] = val
        self.boundary = b
        self.initial = r(n_initial)
        self.initial[:, 2] = 0
        self.u0 = self.exact(self.initial)
        self.history = []

    def exact(self, p):
        decay = torch.exp(-2 * self.alpha * math.pi ** 2 * p[:, 2:3])
        return torch.sin(math.pi * p[:, 0:1]) * torch.sin(math.pi * p[:, 1:2]) * decay

    def residual(self):
        u = self.net(self.interior)
        g = torch.autograd.grad(u, self.interior, torch.ones_like(u), create_graph=True)[0]
        lap = 0
        for i in range(2):
            gi = g[:, i:i + 1]
            lap = lap + torch.autograd.grad(gi, self.interior, torch.ones_like(gi), create_graph=True)[0][:, i:i + 1]
        return g[:, 2:3] - self.alpha * lap

    def loss(self):
        pde = self.residual().square().mean()
        bc = self.net(self.boundary).square().mean()
        ic = (self.net(self.initial) - self.u0).square().mean()
        self.history.append((pde.item(), bc.item(), ic.item()))
        return pde + 10 * bc + 10 * ic


def main():
    torch.manual_seed(314)
    device = torch.device("cuda")
    net = FourierMLP().to(device)
    prob = HeatProblem(net, device=device)
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(adam, gamma=0.95)
    for it in range(6):
        adam.zero_grad()
        loss = prob.loss()
        loss.backward()
        adam.step()
        sched.step()
        print(f"adam {it} loss {loss.item():.5f} (pde {prob.history[-1][0]:.4f})")
    print(f"after Adam: peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=8, max_eval=12, history_size=50,
                              tolerance_grad=1e-9, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        l = prob.loss()
        l.backward()
        return l

    final = lbfgs.step(closure)
    print(f"lbfgs start {final.item():.5f} end {sum(prob.history[-1]):.5f} evaluations {len(prob.history) - 6}")
    with torch.no_grad():
        axis = torch.linspace(0, 1, 101, device=device)
        gx, gy = torch.meshgrid(axis, axis, indexing="ij")
        errs = []
        for t in (0.0, 0.5, 1.0):
            p = torch.stack([gx.flatten(), gy.flatten(), torch.full((101 * 101,), t, device=device)], -1)
            e, u = net(p) - prob.exact(p), prob.exact(p)
            errs.append((e.norm() / u.norm()).item())
    print("relative L2 errors", [round(e, 4) for e in errs])
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
