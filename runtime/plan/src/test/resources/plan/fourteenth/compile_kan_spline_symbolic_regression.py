"""Kolmogorov-Arnold network with B-spline edges, torch.compile, entropy/L1 sparsity, grid refinement and for-loop AdamW."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(28)
dev = "cuda"
N = 60_000
DIMS = [8, 48, 1]
GRID = 8
ORDER = 3
STEPS = 8


class KANLayer(nn.Module):
    def __init__(self, i, o, grid=GRID, k=ORDER):
        super().__init__()
        self.i, self.o, self.k = i, o, k
        h = 2.0 / grid
        self.register_buffer("knots", (torch.arange(-k, grid + k + 1) * h - 1).expand(i, -1).contiguous())
        self.coef = nn.Parameter(torch.randn(i, o, grid + k) * 0.1 / i**0.5)
        self.base = nn.Parameter(torch.randn(o, i) / i**0.5)
        self.scale = nn.Parameter(torch.ones(i, o))

    def bases(self, x):
        x = x[..., None]
        t = self.knots
        b = ((x >= t[:, :-1]) & (x < t[:, 1:])).to(x.dtype)
        for p in range(1, self.k + 1):
            left = (x - t[:, :-p - 1]) / (t[:, p:-1] - t[:, :-p - 1])
            right = (t[:, p + 1:] - x) / (t[:, p + 1:] - t[:, 1:-p])
            b = left * b[..., :-1] + right * b[..., 1:]
        return b

    def forward(self, x):
        edge = torch.einsum("nig,iog->nio", self.bases(x), self.coef) * self.scale
        edge = edge + F.silu(x)[:, :, None] * self.base.T
        return edge.sum(1), edge.abs().mean(0)


class KAN(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.layers = nn.ModuleList(KANLayer(i, o) for i, o in zip(dims[:-1], dims[1:]))

    def forward(self, x):
        reg = 0.0
        for l in self.layers:
            x, act = l(x)
            p = act / (act.sum() + 1e-8)
            reg = reg + act.sum() - (p * (p + 1e-8).log()).sum()
        return x, reg


def refine(layer, new_grid, samples):
    """least-squares transfer of the spline coefficients to a finer grid"""
    new = KANLayer(layer.i, layer.o, new_grid, layer.k).to(samples.device)
    with torch.no_grad():
        y = torch.einsum("nig,iog->ino", layer.bases(samples), layer.coef)
        A = new.bases(samples).transpose(0, 1)
        eye = 1e-3 * torch.eye(A.shape[-1], device=A.device)
        new.coef.copy_(torch.linalg.solve(A.transpose(1, 2) @ A + eye, A.transpose(1, 2) @ y).transpose(1, 2))
        new.base.copy_(layer.base)
        new.scale.copy_(layer.scale)
    return new


def target(x):
    return (torch.exp(torch.sin(torch.pi * x[:, 0]) + x[:, 1] ** 2) * x[:, 2] + torch.tanh(3 * x[:, 3] * x[:, 4]))[:, None]


x = torch.rand(N, DIMS[0], device=dev) * 2 - 1
y = target(x)
mu, sd = y.mean(), y.std()
y = (y - mu) / sd
net = KAN(DIMS).to(dev)
fwd = torch.compile(net, dynamic=False)
opt = torch.optim.AdamW(net.parameters(), lr=5e-3, foreach=False)
for step in range(STEPS):
    out, reg = fwd(x)
    loss = F.mse_loss(out, y)
    (loss + 1e-4 * reg).backward()
    opt.step()
    opt.zero_grad()
    print(f"{step} mse {loss.item():.4f} reg {reg.item():.2f}")

# finer grid on the first layer, then eager steps
net.layers[0] = refine(net.layers[0], 16, x[:4096])
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, foreach=False)
for step in range(3):
    out, reg = net(x)
    loss = F.mse_loss(out, y)
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(f"refined {step} mse {loss.item():.4f}")
print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)
