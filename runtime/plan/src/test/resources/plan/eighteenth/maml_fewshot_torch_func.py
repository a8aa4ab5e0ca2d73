"""MAML on synthetic 5-way few-shot images: inner loop by torch.func.grad, vmap over the tasks, second order."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


@dataclass(frozen=True)
class C:
    ways: int = 5
    shots: int = 5
    queries: int = 10
    side: int = 84
    width: int = 32
    tasks: int = 4
    inner_steps: int = 3
    inner_lr: float = 0.02
    meta_iters: int = 5
    first_order: bool = False


class ConvNet4(nn.Module):
    """GroupNorm instead of BatchNorm: vmap dislikes running statistics."""

    def __init__(self, c):
        super().__init__()
        blocks, ci = [], 3
        for _ in range(4):
            blocks += [nn.Conv2d(ci, c.width, 3, padding=1), nn.GroupNorm(4, c.width), nn.ReLU(), nn.MaxPool2d(2)]
            ci = c.width
        self.features = nn.Sequential(*blocks)
        self.head = nn.Linear(c.width * (c.side // 16) ** 2, c.ways)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class TaskSampler:
    def __init__(self, c, device):
        self.c, self.device = c, device
        self.prototypes = torch.randn(64, 3, 12, 12, device=device)

    def images(self, cls, per_class):
        base = F.interpolate(self.prototypes[cls], size=self.c.side, mode="bilinear", align_corners=False)
        base = base.repeat_interleave(per_class, 0)
        return base + 0.7 * torch.randn_like(base)

    def batch(self):
        c = self.c
        sx, qx = [], []
        for _ in range(c.tasks):
            cls = torch.randperm(64, device=self.device)[: c.ways]
            sx.append(self.images(cls, c.shots))
            qx.append(self.images(cls, c.queries))
        sy = torch.arange(c.ways, device=self.device).repeat_interleave(c.shots).expand(c.tasks, -1)
        qy = torch.arange(c.ways, device=self.device).repeat_interleave(c.queries).expand(c.tasks, -1)
        return torch.stack(sx), sy, torch.stack(qx), qy


def main():
    c = C()
    torch.manual_seed(2)
    device = torch.device("cuda")
    net = ConvNet4(c).to(device)
    sampler = TaskSampler(c, device)
    meta_opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    names = [n for n, _ in net.named_parameters()]
    print("meta parameters:", sum(p.numel() for p in net.parameters()))

    def task_loss(params, x, y):
        return F.cross_entropy(functional_call(net, params, (x,)), y)

    def adapt_and_eval(params, sx, sy, qx, qy):
        fast = params
        for _ in range(c.inner_steps):
            g = grad(task_loss)(fast, sx, sy)
            if c.first_order:
                g = {k: v.detach() for k, v in g.items()}
            fast = {k: fast[k] - c.inner_lr * g[k] for k in names}
        logits = functional_call(net, fast, (qx,))
        return F.cross_entropy(logits, qy), (logits.argmax(1) == qy).float().mean()

    for it in range(c.meta_iters):
        sx, sy, qx, qy = sampler.batch()
        params = dict(net.named_parameters())
        losses, accs = vmap(adapt_and_eval, in_dims=(None, 0, 0, 0, 0))(params, sx, sy, qx, qy)
        meta_opt.zero_grad()
        losses.mean().backward()
        gnorm = nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        meta_opt.step()
        print(f"iter {it} query loss {losses.mean().item():.3f} acc {accs.mean().item():.3f} "
              f"|g| {gnorm.item():.2f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    with torch.no_grad():
        sx, sy, qx, qy = sampler.batch()
        params = {k: v.detach() for k, v in net.named_parameters()}
        _, acc = vmap(adapt_and_eval, in_dims=(None, 0, 0, 0, 0))(params, sx, sy, qx, qy)
    print("held-out tasks accuracy", [round(a, 2) for a in acc.tolist()])


if __name__ == "__main__":
    main()
