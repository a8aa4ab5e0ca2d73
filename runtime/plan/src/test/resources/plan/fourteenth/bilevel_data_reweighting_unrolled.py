"""Bilevel learning: per-example weights from a meta-network, hypergradient by unrolling inner SGD-momentum steps."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(14)
DEV = "cuda"
BATCH = 128
VAL = 256
SIZE = 32
WIDTH = 48
INNER = 4
OUTER = 4
NOISE = 0.4


def block(i, o, s):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1), nn.GroupNorm(4, o), nn.ELU())


base = nn.Sequential(block(3, WIDTH, 1), block(WIDTH, WIDTH, 2), block(WIDTH, 2 * WIDTH, 2), block(2 * WIDTH, 2 * WIDTH, 1),
                     nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * WIDTH, 10)).to(DEV)
weigher = nn.Sequential(nn.Linear(1 + 10, 128), nn.Tanh(), nn.Linear(128, 1)).to(DEV)
log_lr = nn.Parameter(torch.tensor(-3.0, device=DEV))
meta_opt = torch.optim.Adam([{"params": weigher.parameters()}, {"params": [log_lr], "lr": 1e-2}], lr=1e-3)

w_true = torch.randn(3 * SIZE * SIZE, 10, device=DEV)


def draw(n, noisy):
    x = torch.randn(n, 3, SIZE, SIZE, device=DEV)
    y = (x.flatten(1) @ w_true).argmax(1)
    if noisy:
        flip = torch.rand(n, device=DEV) < NOISE
        y = torch.where(flip, torch.randint(0, 10, (n,), device=DEV), y)
    return x, y


params = {k: v.detach().clone() for k, v in base.named_parameters()}
mom = {k: torch.zeros_like(v) for k, v in params.items()}


def inner_step(p, m, x, y):
    logits = functional_call(base, p, (x,))
    ce = F.cross_entropy(logits, y, reduction="none")
    w = torch.sigmoid(weigher(torch.cat([ce.detach()[:, None], F.one_hot(y, 10).float()], 1))).squeeze(1)
    loss = (w * ce).sum() / w.sum().clamp_min(1e-6)
    grads = torch.autograd.grad(loss, list(p.values()), create_graph=True)
    m = {k: 0.9 * m[k] + g for k, g in zip(p, grads)}
    lr = log_lr.exp()
    return {k: p[k] - lr * m[k] for k in p}, m, w


for outer in range(OUTER):
    p = {k: v.requires_grad_(True) for k, v in params.items()}
    m = mom
    for _ in range(INNER):
        x, y = draw(BATCH, True)
        p, m, w = inner_step(p, m, x, y)
    xv, yv = draw(VAL, False)
    val = F.cross_entropy(functional_call(base, p, (xv,)), yv)
    meta_opt.zero_grad()
    hyper = torch.autograd.grad(val, [*weigher.parameters(), log_lr])
    for q, g in zip([*weigher.parameters(), log_lr], hyper):
        q.grad = g
    hn = nn.utils.clip_grad_norm_(weigher.parameters(), 1.0)
    meta_opt.step()
    # truncate the graph and go on from the adapted point
    params = {k: v.detach().clone() for k, v in p.items()}
    mom = {k: v.detach().clone() for k, v in m.items()}
    print(f"outer {outer} val {val.item():.4f} |hyper| {hn.item():.2e} lr {log_lr.exp().item():.4f} w [{w.min().item():.2f},{w.max().item():.2f}] "
          f"alloc {torch.cuda.memory_allocated() >> 20} peak {torch.cuda.max_memory_allocated() >> 20} MiB")
