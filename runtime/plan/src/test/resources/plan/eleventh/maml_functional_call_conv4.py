"""Second-order MAML on 5-way few-shot episodes. Inner loop by torch.func.functional_call, learnable inner rates."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


@dataclass
class P:
    way: int = 5
    shot: int = 5
    query: int = 10
    tasks: int = 4
    inner_steps: int = 3
    inner_lr: float = 0.05
    outer_lr: float = 1e-3
    width: int = 48
    size: int = 64
    meta_steps: int = 4


def conv4(width, way, size):
    layers, c = [], 3
    for _ in range(4):
        layers += [nn.Conv2d(c, width, 3, padding=1), nn.GroupNorm(8, width), nn.ReLU(), nn.MaxPool2d(2)]
        c = width
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(width * (size // 16) ** 2, way))


class EpisodeSource:
    """classes are fixed random textures; images are noisy shifted versions"""

    def __init__(self, classes, size, device):
        self.proto = F.interpolate(torch.randn(classes, 3, 8, 8, device=device), size=size, mode="bilinear")
        self.device = device

    def sample(self, p):
        cls = torch.randperm(len(self.proto))[:p.way]
        n = p.shot + p.query
        x = self.proto[cls].repeat_interleave(n, 0)
        shift = int(torch.randint(-8, 9, (1,)))
        x = torch.roll(x, shift, dims=-1) + 0.6 * torch.randn_like(x)
        x = x.view(p.way, n, *x.shape[1:])
        y = torch.arange(p.way, device=self.device)
        return (x[:, :p.shot].flatten(0, 1), y.repeat_interleave(p.shot),
                x[:, p.shot:].flatten(0, 1), y.repeat_interleave(p.query))


def adapt(net, params, rates, xs, ys, steps, create_graph):
    fast = params
    for _ in range(steps):
        loss = F.cross_entropy(functional_call(net, fast, (xs,)), ys)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
        fast = {k: v - rates[k.replace(".", "_")] * g for (k, v), g in zip(fast.items(), grads)}
    return fast


def main():
    p = P()
    torch.manual_seed(3141)
    dev = torch.device("cuda")
    net = conv4(p.width, p.way, p.size).to(dev)
    rates = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(p.inner_lr)) for k, _ in net.named_parameters()}).to(dev)
    opt = torch.optim.Adam(list(net.parameters()) + list(rates.parameters()), lr=p.outer_lr)
    src = EpisodeSource(64, p.size, dev)

    for it in range(p.meta_steps):
        params = dict(net.named_parameters())
        losses, accs = [], []
        for _ in range(p.tasks):
            xs, ys, xq, yq = src.sample(p)
            fast = adapt(net, params, rates, xs, ys, p.inner_steps, create_graph=True)
            out = functional_call(net, fast, (xq,))
            losses.append(F.cross_entropy(out, yq))
            accs.append((out.argmax(1) == yq).float().mean())
        loss = torch.stack(losses).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(net.parameters(), 1.0)
        opt.step()
        print(f"meta {it} loss {loss.item():.4f} acc {torch.stack(accs).mean().item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    # meta-test: first-order adaptation, more steps
    accs = []
    for _ in range(5):
        xs, ys, xq, yq = src.sample(p)
        leaf = {k: v.detach().clone().requires_grad_(True) for k, v in net.named_parameters()}
        fast = adapt(net, leaf, {k: v.detach() for k, v in rates.items()}, xs, ys, 8, create_graph=False)
        with torch.no_grad():
            accs.append((functional_call(net, fast, (xq,)).argmax(1) == yq).float().mean().item())
    print("meta-test acc", sum(accs) / len(accs), "mean inner lr", torch.stack([r.detach() for r in rates.values()]).mean().item())


if __name__ == "__main__":
    main()
