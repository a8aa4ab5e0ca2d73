"""Diagonal state-space model (S4D) on long 1-D sequences. Convolution mode by FFT for training,
recurrent mode for streaming inference. Complex parameters stored as real pairs."""
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

LENGTH = 4096
D_MODEL = 128
N_STATE = 32
LAYERS = 4
BATCH = 16
CLASSES = 12
STEPS = 5
dev = torch.device("cuda")


class S4D(nn.Module):
    def __init__(self, d, n=N_STATE):
        super().__init__()
        self.log_dt = nn.Parameter(torch.rand(d) * (math.log(0.1) - math.log(0.001)) + math.log(0.001))
        self.log_a_re = nn.Parameter(torch.log(0.5 * torch.ones(d, n)))
        self.a_im = nn.Parameter(math.pi * torch.arange(n).float().repeat(d, 1))
        self.c = nn.Parameter(torch.view_as_real(torch.randn(d, n, dtype=torch.cfloat)))
        self.d = nn.Parameter(torch.randn(d))

    def discretise(self):
        dt = self.log_dt.exp().unsqueeze(-1)
        a = -self.log_a_re.exp() + 1j * self.a_im
        dta = a * dt
        c = torch.view_as_complex(self.c) * (dta.exp() - 1) / a
        return dta, c

    def kernel(self, length):
        dta, c = self.discretise()
        steps = torch.arange(length, device=dta.device)
        vand = (dta.unsqueeze(-1) * steps).exp()          # (D, N, L)
        return 2 * torch.einsum("dn,dnl->dl", c, vand).real

    def forward(self, u):                                  # (B, D, L)
        n = u.size(-1)
        k = self.kernel(n)
        kf = torch.fft.rfft(k, n=2 * n)
        uf = torch.fft.rfft(u, n=2 * n)
        y = torch.fft.irfft(uf * kf, n=2 * n)[..., :n]
        return y + u * self.d.unsqueeze(-1)

    def step(self, u, state):                              # u: (B, D)
        dta, c = self.discretise()
        state = dta.exp() * state + u.unsqueeze(-1)
        return 2 * (c * state).sum(-1).real + u * self.d, state


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.ssm = S4D(d)
        self.out = nn.Linear(d, 2 * d)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):                                  # (B, L, D)
        y = self.ssm(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.drop(F.glu(self.out(F.gelu(y)), dim=-1))

    def step(self, x, state):
        y, state = self.ssm.step(self.norm(x), state)
        return x + F.glu(self.out(F.gelu(y)), dim=-1), state


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(2, D_MODEL)
        self.blocks = nn.ModuleList(Block(D_MODEL) for _ in range(LAYERS))
        self.head = nn.Linear(D_MODEL, CLASSES)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = b(h)
        return self.head(h.mean(1))

    @torch.no_grad()
    def stream(self, x):
        states = [torch.zeros(x.size(0), D_MODEL, N_STATE, dtype=torch.cfloat, device=x.device) for _ in self.blocks]
        total = 0
        for t in range(x.size(1)):
            h = self.inp(x[:, t])
            for i, b in enumerate(self.blocks):
                h, states[i] = b.step(h, states[i])
            total = total + h
        return self.head(total / x.size(1))


def make(n):
    y = torch.randint(0, CLASSES, (n,), device=dev)
    t = torch.linspace(0, 1, LENGTH, device=dev)
    phase = torch.rand(n, 1, device=dev) * 6.28
    sig = torch.sin(2 * math.pi * (5 + 3 * y[:, None]) * t + phase)
    return torch.stack([sig + 0.5 * torch.randn_like(sig), t.expand_as(sig)], -1), y


def main():
    torch.manual_seed(12)
    net = Net().to(dev)
    slow = [p for n, p in net.named_parameters() if any(k in n for k in ("log_dt", "log_a_re", "a_im"))]
    ids = {id(p) for p in slow}
    rest = [p for p in net.parameters() if id(p) not in ids]
    opt = torch.optim.AdamW([{"params": rest, "weight_decay": 0.05, "lr": 4e-3},
                             {"params": slow, "weight_decay": 0.0, "lr": 1e-3}])
    for step in range(STEPS):
        x, y = make(BATCH)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print(f"step {step} loss {loss.item():.3f} peak {torch.cuda.max_memory_allocated(dev) / 2**20:.0f} MiB")
    net.eval()
    x, _ = make(2)
    t0 = time.time()
    stream = net.stream(x[:, :200])
    conv = net(x[:, :200])
    print(f"stream vs conv max diff {(stream - conv).abs().max().item():.2e} ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
