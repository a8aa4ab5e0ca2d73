# Physics-informed network, steady 2-D Navier-Stokes (lid driven cavity, Re=100).
# First some Adam, then L-BFGS with strong Wolfe line search. Second derivatives by autograd.
import torch
import torch.nn as nn

torch.manual_seed(1234)
device = torch.device("cuda")
RE = 100.0
N_COL, N_BND = 8000, 2000
WIDTH, DEPTH = 128, 6
ADAM_STEPS, LBFGS_STEPS, LBFGS_ITERS = 5, 2, 4


class FourierMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("freq", torch.randn(2, WIDTH // 2))
        layers, c = [], WIDTH
        for _ in range(DEPTH):
            layers += [nn.Linear(c, WIDTH), nn.Tanh()]
            c = WIDTH
        self.net = nn.Sequential(*layers, nn.Linear(c, 2))  # stream function psi and pressure p
        for m in self.net:
            if isinstance(m, nn.Linear):
                nn.init.xavier_normal_(m.weight)

    def forward(self, xy):
        z = xy @ self.freq
        return self.net(torch.cat([z.sin(), z.cos()], -1))


def grad(out, inp):
    return torch.autograd.grad(out, inp, torch.ones_like(out), create_graph=True)[0]


def velocity(net, xy):
    psi, p = net(xy).split(1, -1)
    g = grad(psi, xy)
    return g[:, 1:2], -g[:, 0:1], p


def residual(net, xy):
    u, v, p = velocity(net, xy)
    gu, gv, gp = grad(u, xy), grad(v, xy), grad(p, xy)
    uxx, uyy = grad(gu[:, 0:1], xy)[:, 0:1], grad(gu[:, 1:2], xy)[:, 1:2]
    vxx, vyy = grad(gv[:, 0:1], xy)[:, 0:1], grad(gv[:, 1:2], xy)[:, 1:2]
    fx = u * gu[:, 0:1] + v * gu[:, 1:2] + gp[:, 0:1] - (uxx + uyy) / RE
    fy = u * gv[:, 0:1] + v * gv[:, 1:2] + gp[:, 1:2] - (vxx + vyy) / RE
    return fx, fy


def sample_boundary(n):
    t = torch.rand(n, 1, device=device)
    z, o = torch.zeros_like(t), torch.ones_like(t)
    pts = torch.cat([torch.cat([t, o], 1), torch.cat([t, z], 1), torch.cat([z, t], 1), torch.cat([o, t], 1)])
    uv = torch.zeros(4 * n, 2, device=device)
    uv[:n, 0] = 1 - (2 * t[:, 0] - 1) ** 16   # regularised lid
    return pts.requires_grad_(), uv


net = FourierMLP().to(device)
interior = torch.rand(N_COL, 2, device=device, requires_grad=True)
bnd, bnd_uv = sample_boundary(N_BND // 4)


def total_loss():
    fx, fy = residual(net, interior)
    u, v, _ = velocity(net, bnd)
    lb = (u[:, 0] - bnd_uv[:, 0]).pow(2).mean() + (v[:, 0] - bnd_uv[:, 1]).pow(2).mean()
    return fx.pow(2).mean() + fy.pow(2).mean() + 10 * lb


adam = torch.optim.Adam(net.parameters(), lr=1e-3)
for i in range(ADAM_STEPS):
    adam.zero_grad()
    loss = total_loss()
    loss.backward()
    adam.step()
    print(f"adam {i} {loss.item():.5f} peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")

lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=LBFGS_ITERS, history_size=20, line_search_fn="strong_wolfe")
evals = 0


def closure():
    global evals
    evals += 1
    lbfgs.zero_grad()
    loss = total_loss()
    loss.backward()
    return loss


for i in range(LBFGS_STEPS):
    loss = lbfgs.step(closure)
    print(f"lbfgs {i} {loss.item():.5f} evaluations {evals}")

xs = torch.linspace(0, 1, 129, device=device)
grid = torch.stack(torch.meshgrid(xs, xs, indexing="xy"), -1).view(-1, 2).requires_grad_()
u, v, _ = velocity(net, grid)
print("max |u|", u.abs().max().item(), "max |v|", v.abs().max().item())
print(f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")
