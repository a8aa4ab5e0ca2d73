import torch
import torch.nn as nn
from torch.func import functional_call
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(40, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 1)).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(3):
    loss = 0
    for task in range(4):
        x, y = torch.randn(400, 40, device="cuda"), torch.randn(400, 1, device="cuda")
        params = dict(net.named_parameters())
        for inner in range(2):
            inner_loss = nn.functional.mse_loss(functional_call(net, params, (x[:200],)), y[:200])
            grads = torch.autograd.grad(inner_loss, params.values(), create_graph=True)
            params = {k: p - 0.01 * g for (k, p), g in zip(params.items(), grads)}
        loss = loss + nn.functional.mse_loss(functional_call(net, params, (x[200:],)), y[200:])
    opt.zero_grad()
    loss.backward()
    opt.step()
