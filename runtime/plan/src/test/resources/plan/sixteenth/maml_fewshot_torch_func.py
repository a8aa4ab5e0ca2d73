"""Second-order MAML on synthetic few-shot tasks with torch.func (functional_call, grad, vmap)."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


@dataclass
class Config:
    n_way: int = 5
    k_shot: int = 5
    k_query: int = 10
    tasks: int = 8
    size: int = 32
    width: int = 48
    inner_steps: int = 3
    inner_lr: float = 0.05
    meta_lr: float = 1e-3
    iterations: int = 5
    eval_inner_steps: int = 5
    seed: int = 0


class Conv4(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        layers, cin = [], 1
        for _ in range(4):
            layers += [nn.Conv2d(cin, c.width, 3, padding=1), nn.GroupNorm(8, c.width), nn.ReLU(), nn.AvgPool2d(2)]
            cin = c.width
        self.features = nn.Sequential(*layers)
        self.head = nn.Linear(c.width * (c.size // 16) ** 2, c.n_way)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def sample_tasks(c, gen, device):
    """Every task has its own class prototypes; samples are noisy shifts of them."""
    protos = torch.randn(c.tasks, c.n_way, 1, c.size // 4, c.size // 4, generator=gen)
    protos = protos.repeat_interleave(4, -1).repeat_interleave(4, -2)

    def draw(k):
        x = protos[:, :, None] + 0.5 * torch.randn(c.tasks, c.n_way, k, 1, c.size, c.size, generator=gen)
        y = torch.arange(c.n_way)[None, :, None].expand(c.tasks, -1, k)
        return x.flatten(1, 2).to(device), y.flatten(1, 2).to(device)

    return (*draw(c.k_shot), *draw(c.k_query))


def make_fns(net, c):
    def loss_fn(params, x, y):
        return F.cross_entropy(functional_call(net, params, (x,)), y)

    def adapt(params, xs, ys, steps):
        for _ in range(steps):
            g = grad(loss_fn)(params, xs, ys)
            params = {k: p - c.inner_lr * g[k] for k, p in params.items()}
        return params

    def task_loss(params, xs, ys, xq, yq):
        fast = adapt(params, xs, ys, c.inner_steps)
        logits = functional_call(net, fast, (xq,))
        return F.cross_entropy(logits, yq), (logits.argmax(-1) == yq).float().mean()

    def task_eval(params, xs, ys, xq, yq):
        fast = adapt(params, xs, ys, c.eval_inner_steps)
        return (functional_call(net, fast, (xq,)).argmax(-1) == yq).float().mean()

    return task_loss, task_eval


def main():
    c = Config()
    torch.manual_seed(c.seed)
    device = torch.device("cuda")
    net = Conv4(c).to(device)
    params = dict(net.named_parameters())
    opt = torch.optim.Adam(params.values(), lr=c.meta_lr)
    task_loss, task_eval = make_fns(net, c)
    gen = torch.Generator().manual_seed(c.seed)
    for it in range(c.iterations):
        batch = sample_tasks(c, gen, device)
        losses, accs = vmap(task_loss, in_dims=(None, 0, 0, 0, 0))(params, *batch)
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"iter {it} meta loss {loss.item():.4f} query acc {accs.mean().item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    batch = sample_tasks(c, gen, device)
    frozen = {k: v.detach() for k, v in params.items()}
    acc = vmap(task_eval, in_dims=(None, 0, 0, 0, 0))(frozen, *batch)
    print(f"meta-test acc {acc.mean().item():.3f} +- {acc.std().item():.3f}")


if __name__ == "__main__":
    main()
