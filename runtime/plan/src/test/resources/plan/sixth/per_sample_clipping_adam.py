import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value, vmap
torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 200), nn.GELU(), nn.LayerNorm(200), nn.Linear(200, 10)).cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)


def loss_of(params, x, y):
    return F.cross_entropy(functional_call(model, params, (x.unsqueeze(0),)), y.unsqueeze(0))


for step in range(3):
    x, y = torch.randn(128, 3, 32, 32, device="cuda"), torch.randint(0, 10, (128,), device="cuda")
    params = {k: v.detach() for k, v in model.named_parameters()}
    grads, losses = vmap(grad_and_value(loss_of), in_dims=(None, 0, 0))(params, x, y)
    norms = torch.sqrt(sum(g.flatten(1).square().sum(1) for g in grads.values()))
    keep = (1.0 / norms).clamp(max=1.0)
    for name, p in model.named_parameters():
        p.grad = (grads[name] * keep.view(-1, *[1] * p.dim())).mean(0) + 0.01 * torch.randn_like(p)
    opt.step()
    opt.zero_grad()
    print(losses.mean().item())
