# limit: 4
# "MAML: meta batch of 4 tasks works, 32 runs out of memory. How do people do this?"
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(7)
DIM, SHOTS, TASKS = 1024, 4096, 32


def make_net():
    return nn.Sequential(
        nn.Linear(DIM, DIM), nn.Tanh(),
        nn.Linear(DIM, DIM), nn.Tanh(),
        nn.Linear(DIM, 1),
    ).to("cuda")


def task():
    w = torch.randn(DIM, 1, device="cuda") / DIM ** 0.5

    def sample():
        x = torch.randn(SHOTS, DIM, device="cuda")
        return x, x @ w
    return sample


def adapt(net, params, sample, lr=0.05):
    x, y = sample()
    loss = F.mse_loss(functional_call(net, params, (x,)), y)
    grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
    return {k: p - lr * g for (k, p), g in zip(params.items(), grads)}


def meta_step(net, opt):
    opt.zero_grad()
    params = dict(net.named_parameters())
    meta_loss = 0.0
    for _ in range(TASKS):
        sample = task()
        fast = adapt(net, params, sample)
        x, y = sample()
        meta_loss = meta_loss + F.mse_loss(functional_call(net, fast, (x,)), y)
    (meta_loss / TASKS).backward()
    opt.step()
    return float(meta_loss) / TASKS


net = make_net()
opt = torch.optim.SGD(net.parameters(), lr=1e-2)
for it in range(5):
    print(it, meta_step(net, opt))
