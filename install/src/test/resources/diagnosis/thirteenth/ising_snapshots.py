# limit: 2.0
# %% [markdown]
# # 2D Ising near Tc - checkerboard Metropolis, many replicas
# %%
import torch

torch.manual_seed(4)
device = torch.device("cuda")
L, REPLICAS = 512, 128
BETA = 0.4406868

# %%
ii = torch.arange(L, device=device)
BLACK = ((ii[:, None] + ii[None, :]) % 2 == 0)
WHITE = ~BLACK


def sweep(s, beta):
    for mask in (BLACK, WHITE):
        nn_sum = (torch.roll(s, 1, 1) + torch.roll(s, -1, 1)
                  + torch.roll(s, 1, 2) + torch.roll(s, -1, 2))
        dE = 2 * s * nn_sum
        flip = (torch.rand(s.shape, device=device, dtype=torch.float16)
                < torch.exp(-beta * dE.half())) & mask
        s = torch.where(flip, -s, s)
    return s


def magnetisation(s):
    return s.float().mean((1, 2))


# %%
spins = (torch.randint(0, 2, (REPLICAS, L, L), device=device, dtype=torch.int8) * 2 - 1)
history = spins[None].clone()
mags = [magnetisation(spins).abs().mean().item()]

for t in range(1, 601):
    spins = sweep(spins, BETA)
    if t % 10 == 0:
        history = torch.cat([history, spins[None]], dim=0)
        mags.append(magnetisation(spins).abs().mean().item())
        if t % 50 == 0:
            print(f"sweep {t:4d}  |m| = {mags[-1]:.4f}  history {tuple(history.shape)}")

# %% autocorrelation at the end
m = history.float().mean((2, 3)).mean(1)
m = m - m.mean()
acf = torch.stack([(m[: len(m) - k] * m[k:]).mean() for k in range(20)])
print((acf / acf[0]).tolist())
