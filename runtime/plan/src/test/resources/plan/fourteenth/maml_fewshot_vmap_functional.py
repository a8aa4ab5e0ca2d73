"""Second-order MAML for few-shot classification, tasks vectorised by vmap."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


@dataclass
class Cfg:
    ways: int = 5
    shots: int = 5
    queries: int = 10
    tasks: int = 12
    inner_steps: int = 3
    inner_lr: float = 0.05
    meta_lr: float = 1e-3
    hidden: int = 32
    image: int = 48
    meta_iters: int = 4
    seed: int = 7


def conv_block(i, o):
    # GroupNorm rather than BatchNorm: no running buffers inside vmap
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(), nn.AvgPool2d(2))


class Conv4(nn.Module):
    def __init__(self, c: Cfg):
        super().__init__()
        h = c.hidden
        self.net = nn.Sequential(conv_block(3, h), conv_block(h, h), conv_block(h, h), conv_block(h, h))
        self.head = nn.Linear(h * (c.image // 16) ** 2, c.ways)

    def forward(self, x):
        return self.head(self.net(x).flatten(1))


class TaskSampler:
    def __init__(self, cfg, device):
        self.c, self.device = cfg, device
        self.gen = torch.Generator(device=device).manual_seed(cfg.seed)

    def __call__(self):
        c = self.c
        n = c.shots + c.queries
        proto = torch.randn(c.tasks, c.ways, 1, 3, c.image, c.image, device=self.device, generator=self.gen)
        noise = torch.randn(c.tasks, c.ways, n, 3, c.image, c.image, device=self.device, generator=self.gen)
        x = proto + 0.8 * noise
        y = torch.arange(c.ways, device=self.device)[None, :, None].expand(c.tasks, c.ways, n)
        xs, xq = x[:, :, : c.shots].flatten(1, 2), x[:, :, c.shots:].flatten(1, 2)
        ys, yq = y[:, :, : c.shots].flatten(1), y[:, :, c.shots:].flatten(1)
        return xs, ys, xq, yq


def main():
    cfg = Cfg()
    torch.manual_seed(cfg.seed)
    device = torch.device("cuda")
    model = Conv4(cfg).to(device)
    params = {k: v for k, v in model.named_parameters()}
    log_lr = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.full_like(v, cfg.inner_lr)) for k, v in params.items()})
    sampler = TaskSampler(cfg, device)

    def loss_fn(p, x, y):
        logits = functional_call(model, p, (x,))
        return F.cross_entropy(logits, y), logits

    def support_loss(p, x, y):
        return loss_fn(p, x, y)[0]

    def adapt_and_eval(p, xs, ys, xq, yq):
        fast = p
        for _ in range(cfg.inner_steps):
            g = grad(support_loss)(fast, xs, ys)
            # Meta-SGD: learnt step sizes per weight
            fast = {k: fast[k] - log_lr[k.replace(".", "_")] * g[k] for k in fast}
        l, logits = loss_fn(fast, xq, yq)
        acc = (logits.argmax(-1) == yq).float().mean()
        return l, acc

    batched = vmap(adapt_and_eval, in_dims=(None, 0, 0, 0, 0))
    opt = torch.optim.AdamW([{"params": list(model.parameters())}, {"params": list(log_lr.parameters()), "weight_decay": 0.0}], lr=cfg.meta_lr)
    for it in range(cfg.meta_iters):
        batch = sampler()
        opt.zero_grad()
        losses, accs = batched(params, *batch)
        meta = losses.mean()
        meta.backward()
        gn = torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        opt.step()
        print(f"[{it}] meta-loss {meta.item():.4f} acc {accs.mean().item():.3f} |g| {gn.item():.2f}")
    with torch.no_grad():
        _, accs = batched({k: v.detach() for k, v in params.items()}, *sampler())
    print("meta-test acc", accs.mean().item(), "+-", accs.std().item())
    print("max mem (MiB)", torch.cuda.max_memory_allocated(device) >> 20)


if __name__ == "__main__":
    main()
