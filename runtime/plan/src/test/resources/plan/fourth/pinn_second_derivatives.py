import torch
import torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1)).cuda()
opt = torch.optim.RAdam(net.parameters(), lr=1e-3)
for step in range(3):
    x, t = torch.rand(3000, 1, device="cuda", requires_grad=True), torch.rand(3000, 1, device="cuda", requires_grad=True)
    u = net(torch.cat([x, t], 1))
    ones = torch.ones_like(u)
    ux, ut = torch.autograd.grad(u, (x, t), ones, create_graph=True)
    uxx, = torch.autograd.grad(ux, x, ones, create_graph=True)
    inside = (ut + u * ux - 0.01 / 3.14159 * uxx).pow(2).mean()
    xb = torch.rand(400, 1, device="cuda")
    edge = (net(torch.cat([xb, torch.zeros_like(xb)], 1)) + torch.sin(3.14159 * xb)).pow(2).mean()
    loss = inside + edge
    opt.zero_grad()
    loss.backward()
    opt.step()
