"""Second-order MAML on few-shot tasks: torch.func.functional_call + grad + vmap over tasks (no batch norm stats)."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

ap = argparse.ArgumentParser()
ap.add_argument("--tasks", type=int, default=4)
ap.add_argument("--ways", type=int, default=5)
ap.add_argument("--shots", type=int, default=5)
ap.add_argument("--queries", type=int, default=15)
ap.add_argument("--inner-steps", type=int, default=3)
ap.add_argument("--inner-lr", type=float, default=0.05)
ap.add_argument("--side", type=int, default=64)
ap.add_argument("--width", type=int, default=32)
ap.add_argument("--meta-steps", type=int, default=4)
cfg = ap.parse_args()


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(8, o), nn.ReLU(), nn.MaxPool2d(2))


def build():
    w = cfg.width
    return nn.Sequential(block(3, w), block(w, w), block(w, w), block(w, w), nn.Flatten(),
                         nn.Linear(w * (cfg.side // 16) ** 2, cfg.ways))


def episode(device):
    n = cfg.ways
    proto = torch.randn(cfg.tasks, n, 1, 3, cfg.side, cfg.side, device=device)
    make = lambda k: proto + 0.7 * torch.randn(cfg.tasks, n, k, 3, cfg.side, cfg.side, device=device)
    lab = lambda k: torch.arange(n, device=device).repeat_interleave(k).expand(cfg.tasks, -1)
    return (make(cfg.shots).flatten(1, 2), lab(cfg.shots), make(cfg.queries).flatten(1, 2), lab(cfg.queries))


def main():
    torch.manual_seed(2)
    device = "cuda"
    net = build().to(device)
    meta = dict(net.named_parameters())
    opt = torch.optim.Adam(meta.values(), lr=1e-3)

    def ce(params, x, y):
        return F.cross_entropy(functional_call(net, params, (x,)), y)

    def task(params, xs, ys, xq, yq):
        fast = params
        for _ in range(cfg.inner_steps):
            g = grad(ce)(fast, xs, ys)
            fast = {k: v - cfg.inner_lr * g[k] for k, v in fast.items()}
        logits = functional_call(net, fast, (xq,))
        return F.cross_entropy(logits, yq), (logits.argmax(1) == yq).float().mean()

    batched = vmap(task, in_dims=(None, 0, 0, 0, 0))
    for it in range(cfg.meta_steps):
        losses, accs = batched(meta, *episode(device))
        loss = losses.mean()
        opt.zero_grad()
        loss.backward()
        gn = nn.utils.clip_grad_norm_(meta.values(), 10.0)
        opt.step()
        print(f"meta {it} loss {loss.item():.4f} acc {accs.mean().item():.3f} grad {gn.item():.3f}")

    with torch.no_grad():
        _, accs = batched({k: v.detach() for k, v in meta.items()}, *episode(device))
    print("meta-test accuracy", round(accs.mean().item(), 3))
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
