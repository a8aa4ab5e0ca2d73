"""MAML (second order) for 5-way 5-shot classification with a Conv4 net; tasks are batched with torch.func.vmap."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


def conv4(ways, width):
    layers, c = [], 3
    for _ in range(4):
        # GroupNorm instead of BatchNorm: no running statistics under vmap
        layers += [nn.Conv2d(c, width, 3, padding=1), nn.GroupNorm(8, width), nn.ReLU(), nn.MaxPool2d(2)]
        c = width
    return nn.Sequential(*layers, nn.Flatten(), nn.LazyLinear(ways))


def sample_tasks(n, ways, shots, queries, size, gen):
    """class prototypes + noise"""
    proto = torch.randn(n, ways, 1, 3, size // 4, size // 4, generator=gen)
    proto = proto.repeat_interleave(4, -1).repeat_interleave(4, -2)
    x = proto + 0.7 * torch.randn(n, ways, shots + queries, 3, size, size, generator=gen)
    y = torch.arange(ways)[None, :, None].expand(n, ways, shots + queries)
    xs, xq = x[:, :, :shots].flatten(1, 2), x[:, :, shots:].flatten(1, 2)
    ys, yq = y[:, :, :shots].flatten(1, 2), y[:, :, shots:].flatten(1, 2)
    return xs, ys, xq, yq


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--ways", type=int, default=5)
    p.add_argument("--shots", type=int, default=5)
    p.add_argument("--queries", type=int, default=10)
    p.add_argument("--tasks", type=int, default=4)
    p.add_argument("--inner_steps", type=int, default=3)
    p.add_argument("--inner_lr", type=float, default=0.02)
    p.add_argument("--meta_iters", type=int, default=4)
    p.add_argument("--size", type=int, default=48)
    p.add_argument("--width", type=int, default=32)
    p.add_argument("--first_order", action="store_true")
    a = p.parse_args()
    torch.manual_seed(55)
    dev = "cuda"
    gen = torch.Generator().manual_seed(55)
    net = conv4(a.ways, a.width)
    net(torch.zeros(2, 3, a.size, a.size))  # materialise the lazy layer
    net.to(dev)
    params = dict(net.named_parameters())
    opt = torch.optim.Adam(params.values(), lr=1e-3)

    def task_loss(ps, x, y):
        return F.cross_entropy(functional_call(net, ps, (x,)), y)

    def adapt(ps, xs, ys, steps):
        for _ in range(steps):
            g = grad(task_loss)(ps, xs, ys)
            if a.first_order:
                g = {k: v.detach() for k, v in g.items()}
            ps = {k: ps[k] - a.inner_lr * g[k] for k in ps}
        return ps

    def meta_objective(ps, xs, ys, xq, yq):
        fast = adapt(ps, xs, ys, a.inner_steps)
        logits = functional_call(net, fast, (xq,))
        return F.cross_entropy(logits, yq), (logits.argmax(-1) == yq).float().mean()

    batched = vmap(meta_objective, in_dims=(None, 0, 0, 0, 0), randomness="error")

    for it in range(a.meta_iters):
        batch = [t.to(dev) for t in sample_tasks(a.tasks, a.ways, a.shots, a.queries, a.size, gen)]
        losses, accs = batched(params, *batch)
        opt.zero_grad()
        losses.mean().backward()
        nn.utils.clip_grad_norm_(list(params.values()), 10.0)
        opt.step()
        print(f"iter {it} meta loss {losses.mean().item():.4f} query acc {accs.mean().item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # meta-test: one task at a time, more adaptation steps, no outer graph
    torch.cuda.reset_peak_memory_stats()
    scores = []
    for _ in range(4):
        xs, ys, xq, yq = (t[0].to(dev) for t in sample_tasks(1, a.ways, a.shots, a.queries, a.size, gen))
        detached = {k: v.detach() for k, v in params.items()}
        fast = adapt(detached, xs, ys, 10)
        with torch.no_grad():
            scores.append((functional_call(net, fast, (xq,)).argmax(-1) == yq).float().mean().item())
    print(f"meta-test acc {sum(scores) / len(scores):.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
