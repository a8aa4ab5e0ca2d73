# limit: 3
"""Shallow water in a closed basin, explicit steps, for the visualisation group."""
import torch

NY, NX = 1536, 2048
G, DT, DX, DEPTH = 9.81, 0.02, 1.0, 1.5
dev = "cuda"


def ddx(f):
    return (torch.roll(f, -1, 1) - torch.roll(f, 1, 1)) / (2 * DX)


def ddy(f):
    return (torch.roll(f, -1, 0) - torch.roll(f, 1, 0)) / (2 * DX)


def initial():
    y = torch.linspace(-1, 1, NY, device=dev)[:, None]
    x = torch.linspace(-1, 1, NX, device=dev)[None, :]
    h = 0.2 * torch.exp(-40 * ((x - 0.3) ** 2 + (y + 0.2) ** 2))
    return h, torch.zeros_like(h), torch.zeros_like(h)


@torch.no_grad()
def step(h, u, v):
    u = u - DT * G * ddx(h)
    v = v - DT * G * ddy(h)
    h = h - DT * DEPTH * (ddx(u) + ddy(v))
    return h, 0.999 * u, 0.999 * v


class Recorder:
    def __init__(self, every):
        self.every = every
        self.frames = []

    def __call__(self, n, h, u, v):
        if n % self.every == 0:
            self.frames.append(torch.stack([h, u, v]))

    def energy(self):
        return [float((f[0] ** 2).mean()) for f in self.frames]


h, u, v = initial()
record = Recorder(every=2)
for n in range(400):
    h, u, v = step(h, u, v)
    record(n, h, u, v)
    if n % 50 == 0:
        print(n, "max height", h.max().item())
print("energy drift", record.energy()[-1] - record.energy()[0])
