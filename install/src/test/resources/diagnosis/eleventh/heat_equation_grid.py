# limit: 1.8
"""Explicit diffusion on a sequence of refined 3-D grids."""
import torch


def laplacian(u):
    lap = -6.0 * u
    for dim in range(3):
        lap += torch.roll(u, 1, dims=dim)
        lap += torch.roll(u, -1, dims=dim)
    return lap


def hot_sphere(n):
    ax = torch.linspace(-1, 1, n, device="cuda")
    u = torch.zeros(n, n, n, device="cuda")
    half = n // 4
    c = n // 2
    u[c - half:c + half, c - half:c + half, c - half:c + half] = 1.0
    u *= (1 - ax.abs()).view(n, 1, 1)
    return u


def evolve(u, steps, dt=0.1):
    for _ in range(steps):
        lap = laplacian(u)
        u = u + dt * lap
    return u


def main():
    torch.manual_seed(0)
    for n, steps in ((96, 200), (192, 100), (384, 50), (512, 40)):
        u = hot_sphere(n)
        before = u.sum().item()
        u = evolve(u, steps)
        after = u.sum().item()
        print(f"grid {n}^3: heat {before:.1f} -> {after:.1f}, max {u.max().item():.4f}")
        del u


main()
