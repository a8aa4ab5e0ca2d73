# limit: 3
"""D3Q19 lattice Boltzmann on the GPU (after a lab course)."""
import itertools
import torch

torch.manual_seed(0)
dev = torch.device("cuda")
N = 256
TAU = 0.6

velocities = [v for v in itertools.product((-1, 0, 1), repeat=3) if sum(abs(c) for c in v) <= 2]
c = torch.tensor(velocities, dtype=torch.float32, device=dev)
w = torch.tensor([{0: 1 / 3, 1: 1 / 18, 2: 1 / 36}[sum(abs(k) for k in v)] for v in velocities], device=dev)
print("directions:", len(velocities))

f = w.view(-1, 1, 1, 1).repeat(1, N, N, N)
print("populations: %.2f GiB" % (f.numel() * 4 / 2**30))


def macroscopic(f):
    rho = f.sum(0)
    u = torch.stack([torch.einsum("q,qxyz->xyz", c[:, d], f) for d in range(3)])
    return rho, u / rho


def equilibrium(rho, u):
    feq = torch.empty((len(velocities), N, N, N), device=dev)
    usq = 1.5 * (u * u).sum(0)
    for q in range(len(velocities)):
        cu = 3 * (c[q, 0] * u[0] + c[q, 1] * u[1] + c[q, 2] * u[2])
        feq[q] = w[q] * rho * (1 + cu + 0.5 * cu * cu - usq)
    return feq


def stream(f):
    for q, v in enumerate(velocities):
        f[q] = torch.roll(f[q], shifts=v, dims=(0, 1, 2))
    return f


with torch.no_grad():
    for step in range(10):
        rho, u = macroscopic(f)
        f = f - (f - equilibrium(rho, u)) / TAU
        f = stream(f)
        if step % 5 == 0:
            print(step, rho.mean().item())
