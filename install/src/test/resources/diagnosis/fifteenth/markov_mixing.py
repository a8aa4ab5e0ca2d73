# limit: 1.5
# How fast does the page graph mix?  Repeated squaring of the transition matrix,
# with damping once the first powers are through.
import torch

torch.manual_seed(0)
torch.backends.cuda.matmul.allow_tf32 = True

n = 12288
dev = "cuda"


def transition(n):
    p = torch.rand(n, n, device=dev)
    p.pow_(8)                      # a few strong links per page
    p.div_(p.sum(1, keepdim=True))
    return p


def gap(p, rows=64):
    sub = p[:rows]
    return (sub.max(0).values - sub.min(0).values).max().item()


P = transition(n)
history = []
for k in range(10):
    P = P @ P
    P.div_(P.sum(1, keepdim=True))
    if k >= 3:
        # teleport a little, like PageRank
        P = 0.95 * P + 0.05 / n
    history.append(gap(P))
    print(f"power 2^{k + 1}: gap {history[-1]:.3e}")

pi = P[0].clone()
print("stationary entropy", -(pi * pi.clamp_min(1e-20).log()).sum().item())
