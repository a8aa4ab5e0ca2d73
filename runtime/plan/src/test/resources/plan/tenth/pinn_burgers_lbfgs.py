"""Physics informed network for Burgers' equation u_t + u u_x = nu u_xx. Adam first, LBFGS after."""
import math

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float32)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NU = 0.01 / math.pi
N_F = 100_000     # collocation points
N_U = 5_000       # boundary + initial


class MLP(nn.Module):
    def __init__(self, width=128, depth=6):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, 1)
        for m in self.hidden:
            nn.init.xavier_normal_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


def grad(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True, retain_graph=True)[0]


class Burgers:
    def __init__(self):
        torch.manual_seed(1234)
        self.net = MLP().to(DEVICE)
        sobol = torch.quasirandom.SobolEngine(2, scramble=True, seed=0).draw(N_F).to(DEVICE)
        self.xf = (2 * sobol[:, :1] - 1).requires_grad_(True)
        self.tf = sobol[:, 1:].clone().requires_grad_(True)
        x0 = torch.rand(N_U, 1, device=DEVICE) * 2 - 1
        self.x0, self.u0 = x0, -torch.sin(math.pi * x0)
        self.tb = torch.rand(N_U, 1, device=DEVICE)
        self.calls = 0

    def residual(self):
        u = self.net(self.xf, self.tf)
        u_t = grad(u, self.tf)
        u_x = grad(u, self.xf)
        u_xx = grad(u_x, self.xf)
        return u_t + u * u_x - NU * u_xx

    def loss(self):
        f = self.residual().pow(2).mean()
        ic = (self.net(self.x0, torch.zeros_like(self.x0)) - self.u0).pow(2).mean()
        one = torch.ones_like(self.tb)
        bc = self.net(one, self.tb).pow(2).mean() + self.net(-one, self.tb).pow(2).mean()
        return f + 10 * ic + bc, (f, ic, bc)

    def train_adam(self, steps):
        opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        for i in range(steps):
            opt.zero_grad()
            loss, parts = self.loss()
            loss.backward()
            opt.step()
            print(f"adam {i}: {loss.item():.5f} " + " ".join(f"{p.item():.5f}" for p in parts))

    def train_lbfgs(self, iters):
        opt = torch.optim.LBFGS(self.net.parameters(), lr=1.0, max_iter=iters, history_size=20,
                                line_search_fn="strong_wolfe")

        def closure():
            opt.zero_grad()
            loss, _ = self.loss()
            loss.backward()
            self.calls += 1
            return loss

        final = opt.step(closure)
        print(f"lbfgs start loss {final.item():.5f}, {self.calls} evaluations")


if __name__ == "__main__":
    b = Burgers()
    b.train_adam(4)
    b.train_lbfgs(5)
    with torch.no_grad():
        xs = torch.linspace(-1, 1, 256, device=DEVICE)[:, None]
        u = b.net(xs, torch.full_like(xs, 0.5))
    print("u(., 0.5) in", u.min().item(), u.max().item())
