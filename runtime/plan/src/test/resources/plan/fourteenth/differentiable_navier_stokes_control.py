"""Learned closure for a pseudo-spectral vorticity solver, trained through the unrolled solver.
Every solver step is checkpointed (non-reentrant)."""
import math
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

GRID = 192
BATCH = 10
UNROLL = 12
ITERS = 4
DT = 5e-3
VISC = 2e-3
CH = 48


class Solver(nn.Module):
    def __init__(self, n):
        super().__init__()
        k = torch.fft.fftfreq(n, 1 / n)
        kr = torch.fft.rfftfreq(n, 1 / n)
        kx, ky = torch.meshgrid(k, kr, indexing="ij")
        k2 = kx**2 + ky**2
        self.register_buffer("kx", kx)
        self.register_buffer("ky", ky)
        self.register_buffer("k2", k2)
        self.register_buffer("inv", torch.where(k2 == 0, torch.ones_like(k2), 1 / k2.clamp_min(1e-9)))
        self.register_buffer("mask", ((kx.abs() < n / 3) & (ky.abs() < n / 3)).float())

    def rhs(self, w_hat, force):
        psi = w_hat * self.inv
        u = torch.fft.irfft2(1j * self.ky * psi)
        v = torch.fft.irfft2(-1j * self.kx * psi)
        wx = torch.fft.irfft2(1j * self.kx * w_hat)
        wy = torch.fft.irfft2(1j * self.ky * w_hat)
        adv = torch.fft.rfft2(-(u * wx + v * wy) + force)
        return adv * self.mask

    def step(self, w, closure):
        f = closure(w[:, None])[:, 0] if closure is not None else torch.zeros_like(w)
        w_hat = torch.fft.rfft2(w)
        k1 = self.rhs(w_hat, f)
        mid = (w_hat + DT * k1) / (1 + DT * VISC * self.k2)
        k2 = self.rhs(mid, f)
        out = (w_hat + 0.5 * DT * (k1 + k2)) / (1 + DT * VISC * self.k2)
        return torch.fft.irfft2(out)


class Closure(nn.Module):
    def __init__(self, c):
        super().__init__()
        def conv(i, o):
            return nn.Conv2d(i, o, 5, padding=2, padding_mode="circular")
        self.net = nn.Sequential(conv(1, c), nn.SiLU(), conv(c, c), nn.SiLU(), conv(c, c), nn.SiLU(), conv(c, 1))
        self.gain = nn.Parameter(torch.tensor(0.01))

    def forward(self, w):
        return self.gain * self.net(w)


def initial(n, b):
    z = torch.randn(b, n, n, device="cuda")
    k = torch.fft.fftfreq(n, 1 / n, device="cuda")
    k2 = k[:, None] ** 2 + k[None] ** 2
    w = torch.fft.ifft2(torch.fft.fft2(z) * torch.exp(-k2 / 64)).real
    return 3 * w / w.std()


torch.manual_seed(77)
solver = Solver(GRID).to("cuda")
fine = Solver(GRID * 2).to("cuda")
closure = Closure(CH).to("cuda")
opt = torch.optim.AdamW(closure.parameters(), lr=1e-3, foreach=True)

for it in range(ITERS):
    w_fine = initial(GRID * 2, BATCH)
    w = w_fine[:, ::2, ::2].contiguous()
    loss = 0.0
    for k in range(UNROLL):
        with torch.no_grad():
            w_fine = fine.step(w_fine, None)
        w = checkpoint(solver.step, w, closure, use_reentrant=False)
        loss = loss + (w - w_fine[:, ::2, ::2]).pow(2).mean() * 0.95**k
    loss = loss / UNROLL
    opt.zero_grad(set_to_none=True)
    loss.backward()
    gn = nn.utils.clip_grad_value_(closure.parameters(), 1.0)
    opt.step()
    energy = w.detach().pow(2).mean().item()
    print(f"iter {it} loss {loss.item():.5f} enstrophy {energy:.4f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    if not math.isfinite(energy):
        raise SystemExit("blow-up")
