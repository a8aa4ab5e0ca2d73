# limit: 2.0
# Burgers' equation with a physics-informed network (notebook export)
# %%
import torch
import torch.nn as nn

torch.manual_seed(42)
device = "cuda"
nu = 0.01 / torch.pi

# %%
layers = [nn.Linear(2, 256), nn.Tanh()]
for _ in range(5):
    layers += [nn.Linear(256, 256), nn.Tanh()]
net = nn.Sequential(*layers, nn.Linear(256, 1)).to(device)


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(xt):
    xt = xt.clone().requires_grad_(True)
    u = net(xt)
    du = grad(u, xt)
    u_x, u_t = du[:, :1], du[:, 1:]
    u_xx = grad(u_x, xt)[:, :1]
    return u_t + u * u_x - nu * u_xx


# %%
def sample(n):
    x = torch.rand(n, 1, device=device) * 2 - 1
    t = torch.rand(n, 1, device=device)
    return torch.cat([x, t], 1)


x0 = torch.linspace(-1, 1, 512, device=device)[:, None]
ic = torch.cat([x0, torch.zeros_like(x0)], 1)
u0 = -torch.sin(torch.pi * x0)
test_grid = sample(5000)

# %%
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
history = {"loss": [], "test_residual": []}
for it in range(600):
    opt.zero_grad()
    loss_f = residual(sample(4000)).pow(2).mean()
    loss_0 = (net(ic) - u0).pow(2).mean()
    loss = loss_f + loss_0
    loss.backward()
    opt.step()
    history["loss"].append(loss.item())
    if it % 10 == 0:
        r = residual(test_grid).abs().mean()
        history["test_residual"].append(r)
        print(f"{it:4d} {loss.item():.3e} test {r.item():.3e}")

# %%
print("final", torch.stack(history["test_residual"])[-5:].tolist())
