# limit: 4
"""Physics-informed network for Burgers' equation."""
import torch
import torch.nn as nn

torch.manual_seed(1234)
device = "cuda"


class MLP(nn.Module):
    def __init__(self, width=128, depth=6):
        super().__init__()
        layers = [nn.Linear(2, width), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.Tanh()]
        layers.append(nn.Linear(width, 1))
        self.net = nn.Sequential(*layers)

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(model, x, t, nu=0.01 / 3.14159):
    u = model(x, t)
    u_t = grad(u, t)
    u_x = grad(u, x)
    u_xx = grad(u_x, x)
    return u_t + u * u_x - nu * u_xx


model = MLP().to(device)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
N_F, N_B = 400_000, 1000
for epoch in range(10):
    x = (torch.rand(N_F, 1, device=device) * 2 - 1).requires_grad_(True)
    t = torch.rand(N_F, 1, device=device).requires_grad_(True)
    f = residual(model, x, t)
    x0 = torch.rand(N_B, 1, device=device) * 2 - 1
    u0 = model(x0, torch.zeros_like(x0))
    loss = f.pow(2).mean() + (u0 + torch.sin(3.14159 * x0)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, loss.item())
