# limit: 2.8
import torch
import torch.nn.functional as F


def laplacian(u, dx):
    acc = torch.roll(u, 1, 0)
    for shift, dim in ((-1, 0), (1, 1), (-1, 1), (1, 2), (-1, 2)):
        acc += torch.roll(u, shift, dim)
    acc.sub_(u, alpha=6.0)
    return acc.div_(dx * dx)


def advance(u, dt, dx, kappa, steps):
    for _ in range(steps):
        lap = laplacian(u, dx)
        u = u + (dt * kappa) * lap
    return u


def refine(u, n):
    return F.interpolate(u[None, None], size=(n, n, n), mode="nearest")[0, 0]


def hot_spot(n):
    ax = torch.linspace(-1, 1, n, device="cuda")
    r2 = ax[:, None, None] ** 2 + ax[None, :, None] ** 2 + ax[None, None, :] ** 2
    return torch.exp(-8 * r2)


class Log:
    def __init__(self):
        self.rows = []

    def __call__(self, n, u):
        row = (n, u.mean().item(), u.amax().item())
        self.rows.append(row)
        print("grid %d  mean %.5f  max %.5f" % row)


if __name__ == "__main__":
    torch.manual_seed(0)
    log = Log()
    n, kappa = 128, 0.2
    u = hot_spot(n)
    for n in (128, 256, 384, 512):
        if u.shape[0] != n:
            u = refine(u, n)
        dx = 2.0 / n
        dt = 0.1 * dx * dx / kappa
        u = advance(u, dt, dx, kappa, steps=20)
        log(n, u)
    print("done", len(log.rows))
