"""Second-order MAML for 5-way few-shot images: functional_call, grad inside, vmap over the tasks of a meta-batch."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


def args_():
    p = argparse.ArgumentParser()
    p.add_argument("--ways", type=int, default=5)
    p.add_argument("--shots", type=int, default=2)
    p.add_argument("--query", type=int, default=6)
    p.add_argument("--tasks", type=int, default=8)
    p.add_argument("--inner-steps", type=int, default=3)
    p.add_argument("--inner-lr", type=float, default=0.05)
    p.add_argument("--meta-lr", type=float, default=1e-3)
    p.add_argument("--meta-steps", type=int, default=5)
    p.add_argument("--size", type=int, default=56)
    p.add_argument("--width", type=int, default=48)
    return p.parse_args()


class ConvNet(nn.Module):
    def __init__(self, width, ways, size):
        super().__init__()
        c = 3
        self.convs, self.norms = nn.ModuleList(), nn.ModuleList()
        for _ in range(4):
            self.convs.append(nn.Conv2d(c, width, 3, padding=1))
            self.norms.append(nn.GroupNorm(4, width))
            c = width
        self.fc = nn.Linear(width * (size // 16) ** 2, ways)

    def forward(self, x):
        for conv, norm in zip(self.convs, self.norms):
            x = F.avg_pool2d(F.silu(norm(conv(x))), 2)
        return self.fc(x.flatten(1))


def sample_tasks(a, gen, dev):
    """every class is a random low-frequency pattern"""
    proto = torch.randn(a.tasks, a.ways, 3, 7, 7, generator=gen)

    def draw(k):
        y = torch.arange(a.ways).repeat_interleave(k).expand(a.tasks, -1)
        base = proto.repeat_interleave(k, dim=1)
        x = base + 0.5 * torch.randn(base.shape, generator=gen)
        x = F.interpolate(x.flatten(0, 1), size=a.size, mode="bilinear").unflatten(0, (a.tasks, -1))
        return x.to(dev), y.contiguous().to(dev)

    return draw(a.shots), draw(a.query)


def main():
    a = args_()
    dev = "cuda"
    torch.manual_seed(18)
    gen = torch.Generator().manual_seed(18)
    net = ConvNet(a.width, a.ways, a.size).to(dev)
    params = {k: v for k, v in net.named_parameters()}
    # learned step size for every tensor (Meta-SGD light)
    steps = {k: nn.Parameter(torch.tensor(a.inner_lr, device=dev)) for k in params}
    opt = torch.optim.Adam([
        {"params": list(params.values()), "lr": a.meta_lr},
        {"params": list(steps.values()), "lr": 1e-2 * a.meta_lr},
    ])

    def task_loss(p, x, y):
        return F.cross_entropy(functional_call(net, p, (x,)), y)

    def adapt(p, lr, xs, ys, n):
        for _ in range(n):
            g = grad(task_loss)(p, xs, ys)
            p = {k: p[k] - lr[k] * g[k] for k in p}
        return p

    def meta_task(p, lr, xs, ys, xq, yq):
        p = adapt(p, lr, xs, ys, a.inner_steps)
        logits = functional_call(net, p, (xq,))
        return F.cross_entropy(logits, yq), (logits.argmax(-1) == yq).float().mean()

    batched = vmap(meta_task, in_dims=(None, None, 0, 0, 0, 0))
    for it in range(a.meta_steps):
        (xs, ys), (xq, yq) = sample_tasks(a, gen, dev)
        loss, acc = batched(params, steps, xs, ys, xq, yq)
        opt.zero_grad()
        loss.mean().backward()
        nn.utils.clip_grad_norm_(params.values(), 10.0)
        opt.step()
        print(f"meta {it} loss {loss.mean().item():.4f} acc {acc.mean().item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # meta-test with more inner steps and no outer graph
    (xs, ys), (xq, yq) = sample_tasks(a, gen, dev)
    frozen = {k: v.detach() for k, v in params.items()}
    lrs = {k: v.detach() for k, v in steps.items()}
    with torch.no_grad():
        fast = vmap(lambda x, y: adapt(frozen, lrs, x, y, 2 * a.inner_steps))(xs, ys)
        logits = vmap(lambda p, x: functional_call(net, p, (x,)))(fast, xq)
    print("test acc", (logits.argmax(-1) == yq).float().mean().item())


if __name__ == "__main__":
    main()
