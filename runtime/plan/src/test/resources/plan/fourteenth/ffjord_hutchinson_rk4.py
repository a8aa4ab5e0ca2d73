# Continuous normalising flow on a toy 8-d density. Fixed-step RK4, Hutchinson trace.
import math
import torch
from torch import nn
from torch.distributions import MixtureSameFamily, Categorical, Independent, Normal

torch.manual_seed(11)
DEVICE = "cuda"
DIM = 8
BATCH = 8192
HID = 192
N_STEPS = 6
T_END = 1.0
ITERS = 5


class ConcatSquash(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)
        self.gate = nn.Linear(1, o)
        self.bias = nn.Linear(1, o, bias=False)

    def forward(self, t, x):
        return self.lin(x) * torch.sigmoid(self.gate(t)) + self.bias(t)


class Velocity(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.ModuleList([ConcatSquash(DIM, HID), ConcatSquash(HID, HID), ConcatSquash(HID, DIM)])
        self.nfe = 0

    def forward(self, t, x):
        self.nfe += 1
        t = t.view(1, 1)
        for i, l in enumerate(self.l):
            x = l(t, x)
            if i < len(self.l) - 1:
                x = nn.functional.softplus(x)
        return x


class CNF(nn.Module):
    def __init__(self):
        super().__init__()
        self.v = Velocity()

    def aug(self, t, z, e):
        """dz/dt, dlogp/dt, and kinetic energy for regularisation"""
        if not z.requires_grad:
            z = z.requires_grad_(True)
        with torch.enable_grad():
            dz = self.v(t, z)
            e_dz = torch.autograd.grad(dz, z, e, create_graph=True)[0]
        div = (e_dz * e).sum(1)
        return dz, -div, dz.pow(2).mean(1), e_dz.pow(2).mean(1)

    def forward(self, z):
        e = torch.randint(0, 2, z.shape, device=z.device).float() * 2 - 1
        h = T_END / N_STEPS
        state = (z, torch.zeros(len(z), device=z.device), torch.zeros(len(z), device=z.device), torch.zeros(len(z), device=z.device))
        for k in range(N_STEPS):
            t = torch.tensor(k * h, device=z.device)

            def f(tt, s):
                return self.aug(tt, s[0], e)

            k1 = f(t, state)
            k2 = f(t + h / 2, tuple(s + h / 2 * a for s, a in zip(state, k1)))
            k3 = f(t + h / 2, tuple(s + h / 2 * a for s, a in zip(state, k2)))
            k4 = f(t + h, tuple(s + h * a for s, a in zip(state, k3)))
            state = tuple(s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4))
        return state


def target():
    g = torch.Generator().manual_seed(2)
    mu = torch.randn(10, DIM, generator=g).mul(3).to(DEVICE)
    return MixtureSameFamily(Categorical(torch.ones(10, device=DEVICE)), Independent(Normal(mu, torch.full_like(mu, 0.5)), 1))


data = target()
base = Independent(Normal(torch.zeros(DIM, device=DEVICE), torch.ones(DIM, device=DEVICE)), 1)
flow = CNF().to(DEVICE)
opt = torch.optim.RAdam(flow.parameters(), lr=1e-3)

for i in range(ITERS):
    x = data.sample((BATCH,))
    z, dlogp, kin, jac = flow(x)
    logp = base.log_prob(z) - dlogp
    nll = -logp.mean()
    loss = nll + 0.01 * kin.mean() + 0.01 * jac.mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    bpd = nll.item() / DIM / math.log(2)
    print(f"{i:3d} nll/dim {bpd:.3f} kin {kin.mean().item():.3f} nfe {flow.v.nfe}")

print("entropy of target (MC):", -data.log_prob(data.sample((4096,))).mean().item())
print("peak", torch.cuda.max_memory_allocated() / 2**30, "GiB")
