# limit: 0.5
"""Few-shot adaptation with a differentiable inner loop (MAML)."""
import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


def make_net(d=1024):
    return nn.Sequential(nn.Linear(64, d), nn.Tanh(), nn.Linear(d, d), nn.Tanh(), nn.Linear(d, d), nn.Tanh(),
                         nn.Linear(d, 5))


def task(n, gen):
    w = torch.randn(64, 5, device="cuda", generator=gen)
    x = torch.randn(n, 64, device="cuda", generator=gen)
    return x, (x @ w).argmax(-1)


def adapt(net, params, x, y, steps, lr=0.05):
    for _ in range(steps):
        loss = F.cross_entropy(functional_call(net, params, (x,)), y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
        params = {k: p - lr * g for (k, p), g in zip(params.items(), grads)}
    return params


def outer_step(net, opt, gen, inner):
    xs, ys = task(100, gen)
    xq, yq = task(100, gen)
    fast = adapt(net, dict(net.named_parameters()), xs, ys, inner)
    loss = F.cross_entropy(functional_call(net, fast, (xq,)), yq)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    torch.manual_seed(7)
    gen = torch.Generator(device="cuda").manual_seed(7)
    net = make_net().to("cuda")
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for inner in (1, 5, 10, 60):
        for it in range(4):
            loss = outer_step(net, opt, gen, inner)
        print(f"{inner} inner steps: query loss {loss:.4f}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
