"""MAML, second order, 5-way 5-shot with a four-layer ConvNet; inner loop vectorized over tasks by torch.func."""
import argparse
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


def conv_block(i, o):
    # GroupNorm in place of BatchNorm so that vmap has no running statistics to update
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(8, o), nn.ReLU(), nn.MaxPool2d(2))


class ConvNet4(nn.Module):
    def __init__(self, hidden, ways, size):
        super().__init__()
        self.features = nn.Sequential(conv_block(3, hidden), conv_block(hidden, hidden),
                                      conv_block(hidden, hidden), conv_block(hidden, hidden))
        self.head = nn.Linear(hidden * (size // 16) ** 2, ways)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class TaskSampler:
    """Every class is a random smooth template, examples are noisy shifts of it."""

    def __init__(self, ways, shots, queries, size, device):
        self.w, self.s, self.q, self.size, self.dev = ways, shots, queries, size, device

    def sample(self, n_tasks):
        k = self.s + self.q
        t = torch.randn(n_tasks * self.w, 3, 7, 7, device=self.dev)
        t = F.interpolate(t, size=(self.size, self.size), mode="bicubic").view(n_tasks, self.w, 1, 3, self.size, self.size)
        x = t + 0.5 * torch.randn(n_tasks, self.w, k, 3, self.size, self.size, device=self.dev)
        y = torch.arange(self.w, device=self.dev).view(1, -1, 1).expand(n_tasks, -1, k)
        flat = lambda a: a.flatten(1, 2)
        return (flat(x[:, :, :self.s]), flat(y[:, :, :self.s])), (flat(x[:, :, self.s:]), flat(y[:, :, self.s:]))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--ways", type=int, default=5)
    p.add_argument("--shots", type=int, default=5)
    p.add_argument("--queries", type=int, default=10)
    p.add_argument("--size", type=int, default=48)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--tasks", type=int, default=4)
    p.add_argument("--inner-steps", type=int, default=3)
    p.add_argument("--inner-lr", type=float, default=0.05)
    p.add_argument("--meta-steps", type=int, default=5)
    args = p.parse_args()

    torch.manual_seed(222)
    device = torch.device("cuda")
    net = ConvNet4(args.hidden, args.ways, args.size).to(device)
    params = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}
    # learned per-parameter learning rates (Meta-SGD flavour)
    lrs = {k: torch.full((), args.inner_lr, device=device, requires_grad=True) for k in params}
    opt = torch.optim.Adam(list(params.values()) + list(lrs.values()), lr=1e-3, foreach=False)
    sampler = TaskSampler(args.ways, args.shots, args.queries, args.size, device)

    def support_loss(ps, x, y):
        return F.cross_entropy(functional_call(net, ps, (x,)), y)

    def adapt_and_query(xs, ys, xq, yq, ps, rates, steps):
        fast = ps
        for _ in range(steps):
            g = grad(support_loss)(fast, xs, ys)
            fast = {k: fast[k] - rates[k] * g[k] for k in fast}
        logits = functional_call(net, fast, (xq,))
        return F.cross_entropy(logits, yq), (logits.argmax(-1) == yq).float().mean()

    for step in range(args.meta_steps):
        (xs, ys), (xq, yq) = sampler.sample(args.tasks)
        per_task = partial(adapt_and_query, ps=params, rates=lrs, steps=args.inner_steps)
        losses, accs = vmap(per_task)(xs, ys, xq, yq)
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params.values(), 10.0)
        opt.step()
        print(f"meta step {step} query loss {loss.item():.4f} acc {accs.mean().item():.3f}")

    # meta-test with more inner steps
    (xs, ys), (xq, yq) = sampler.sample(args.tasks)
    frozen = {k: v.detach() for k, v in params.items()}
    rates = {k: v.detach() for k, v in lrs.items()}
    with torch.no_grad():
        test = partial(adapt_and_query, ps=frozen, rates=rates, steps=args.inner_steps * 2)
        losses, accs = vmap(test)(xs, ys, xq, yq)
    print(f"meta-test acc {accs.mean().item():.3f} (loss {losses.mean().item():.3f})")
    print(f"max memory {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
