# limit: 3.0
# %% [markdown]
# Steady heat in a plate, coarse to fine. Each level starts from the upsampled
# solution of the level before.

# %%
import time

import torch
import torch.nn.functional as F

torch.manual_seed(0)
dev = "cuda"
levels = [1024, 2048, 4096, 8192, 16384]


# %%
def boundary(u):
    u[0, :] = 1.0
    u[-1, :] = 0.0
    u[:, 0] = 0.5
    u[:, -1] = 0.5
    return u


def relax(u, omega=0.8):
    nb = (torch.roll(u, 1, 0) + torch.roll(u, -1, 0)
          + torch.roll(u, 1, 1) + torch.roll(u, -1, 1)) / 4
    return boundary((1 - omega) * u + omega * nb)


def residual(u):
    row = u[1:-1:64]
    return (row[:, 1:] - row[:, :-1]).abs().mean().item()


def refine(u, n):
    return F.interpolate(u[None, None], size=(n, n), mode="nearest")[0, 0]


# %%
u = boundary(torch.full((levels[0], levels[0]), 0.5, device=dev))
log = []
for n in levels:
    if u.shape[0] != n:
        u = boundary(refine(u, n))
    t0 = time.time()
    for it in range(12):
        u = relax(u)
    torch.cuda.synchronize()
    log.append((n, residual(u), time.time() - t0))
    print("level %5d  residual %.3e  %.2fs" % log[-1], flush=True)

# %%
hot = (u > 0.75).float().mean().item()
print(f"share of hot cells: {hot:.4f}")
for n, r, s in log:
    print(n, r, s)
