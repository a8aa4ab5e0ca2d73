"""Physics-informed network for Burgers' equation u_t + u u_x = nu u_xx: Adam warm-up, then L-BFGS."""
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(1234)
np.random.seed(1234)
device = torch.device("cuda")

NU = 0.01 / np.pi
N_F = 60_000
N_U = 400
LAYERS = [2] + [128] * 6 + [1]


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.linears = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        for lin in self.linears:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, x, t):
        h = torch.cat([x, 2 * t - 1], dim=1)
        for lin in self.linears[:-1]:
            h = torch.tanh(lin(h))
        return self.linears[-1](h)


class BurgersPINN:
    def __init__(self):
        self.net = MLP(LAYERS).to(device)
        self.x_f = (torch.rand(N_F, 1, device=device) * 2 - 1).requires_grad_()
        self.t_f = torch.rand(N_F, 1, device=device).requires_grad_()
        x0 = torch.rand(N_U, 1, device=device) * 2 - 1
        t0 = torch.zeros_like(x0)
        xb = torch.where(torch.rand(N_U, 1, device=device) < 0.5, -1.0, 1.0)
        tb = torch.rand(N_U, 1, device=device)
        self.x_u, self.t_u = torch.cat([x0, xb]), torch.cat([t0, tb])
        self.u = torch.cat([-torch.sin(np.pi * x0), torch.zeros_like(xb)])
        self.calls = 0

    def residual(self, x, t):
        u = self.net(x, t)
        ones = torch.ones_like(u)
        u_x, u_t = torch.autograd.grad(u, (x, t), grad_outputs=ones, create_graph=True)
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=ones, create_graph=True)[0]
        return u_t + u * u_x - NU * u_xx

    def loss(self):
        mse_u = (self.net(self.x_u, self.t_u) - self.u).square().mean()
        mse_f = self.residual(self.x_f, self.t_f).square().mean()
        return mse_u + mse_f, mse_u.detach(), mse_f.detach()

    def train_adam(self, steps):
        opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        for i in range(steps):
            opt.zero_grad()
            loss, mu, mf = self.loss()
            loss.backward()
            opt.step()
            print(f"adam {i}: {loss.item():.5f} (data {mu.item():.5f}, pde {mf.item():.5f})")

    def train_lbfgs(self, iters):
        opt = torch.optim.LBFGS(self.net.parameters(), lr=1.0, max_iter=iters, history_size=50,
                                tolerance_grad=1e-7, tolerance_change=1e-9, line_search_fn="strong_wolfe")

        def closure():
            opt.zero_grad()
            loss, _, _ = self.loss()
            loss.backward()
            self.calls += 1
            return loss

        first = opt.step(closure)
        print(f"lbfgs: first {first.item():.5f}, closure calls {self.calls}")

    def predict(self, n=256):
        x, t = torch.meshgrid(torch.linspace(-1, 1, n, device=device), torch.linspace(0, 1, n, device=device), indexing="ij")
        with torch.no_grad():
            return self.net(x.reshape(-1, 1), t.reshape(-1, 1)).view(n, n)


pinn = BurgersPINN()
pinn.train_adam(4)
pinn.train_lbfgs(6)
sol = pinn.predict()
loss, mu, mf = pinn.loss()
print(f"final loss {loss.item():.5f}, u range [{sol.min().item():.2f}, {sol.max().item():.2f}]")
print(f"peak memory {torch.cuda.max_memory_allocated() / 2**20:.1f} MiB")
