import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)).cuda()


def loss_of(params, x, y):
    return F.cross_entropy(functional_call(model, params, (x[None],)), y[None])


per_sample = vmap(grad(loss_of), in_dims=(None, 0, 0))
for step in range(3):
    params = {k: v.detach() for k, v in model.named_parameters()}
    x, y = torch.randn(256, 784, device="cuda"), torch.randint(0, 10, (256,), device="cuda")
    grads = per_sample(params, x, y)
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()], 1).norm(dim=1)
    factor = (1.0 / (norms + 1e-6)).clamp(max=1.0)
    with torch.no_grad():
        for name, p in model.named_parameters():
            g = torch.einsum("b,b...->...", factor, grads[name])
            g = (g + 0.5 * torch.randn_like(g)) / 256
            p.sub_(0.1 * g)
