# limit: 1.5
# %% sweep over learning rates, each with a fresh network
import copy
from collections import deque

import torch
import torch.nn as nn

results, best = {}, (float("inf"), None)


# %%
def make_net(width=2048, depth=5):
    torch.manual_seed(1)
    layers = [nn.Linear(256, width), nn.GELU()]
    for _ in range(depth):
        layers += [nn.Linear(width, width), nn.GELU()]
    return nn.Sequential(*layers, nn.Linear(width, 1)).cuda()


def sample(n=4096):
    x = torch.randn(n, 256, device="cuda")
    return x, torch.sin(x[:, :8].sum(1, keepdim=True))


# %%
def run(lr, steps=40):
    net = make_net()
    opt = torch.optim.AdamW(net.parameters(), lr=lr)
    recent = deque(maxlen=10)
    curve = []
    for s in range(steps):
        x, y = sample()
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(loss)
        curve.append(torch.stack(list(recent)).mean().item())
    return net, curve


# %%
for lr in [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2]:
    net, curve = run(lr)
    results[lr] = curve
    if curve[-1] < best[0]:
        best = (curve[-1], copy.deepcopy(net).cpu())
    del net
    print(f"lr {lr:.0e}: {curve[0]:.4f} -> {curve[-1]:.4f}, "
          f"held {torch.cuda.memory_allocated() / 2 ** 20:.0f} MiB")

# %%
winner = min(results, key=lambda k: results[k][-1])
print("best", winner, "loss", best[0], "parameters", sum(p.numel() for p in best[1].parameters()))
