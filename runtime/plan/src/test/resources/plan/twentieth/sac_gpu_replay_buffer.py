# Soft actor-critic on states with an ensemble of critics (vmap over stacked parameters), replay kept on GPU
import copy
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, stack_module_state, vmap

OBS, ACT = 376, 17          # humanoid-like
CAPACITY = 400_000
BATCH = 2048
N_CRITICS = 10
HIDDEN = 512
UPDATES = 8
GAMMA, TAU, LR = 0.99, 0.005, 3e-4
device = torch.device("cuda")


class Replay:
    def __init__(self, cap):
        self.o = torch.empty(cap, OBS, device=device)
        self.o2 = torch.empty(cap, OBS, device=device)
        self.a = torch.empty(cap, ACT, device=device)
        self.r = torch.empty(cap, 1, device=device)
        self.d = torch.empty(cap, 1, device=device)
        self.cap, self.pos, self.size = cap, 0, 0

    def add(self, o, a, r, o2, d):
        n = len(o)
        idx = (torch.arange(n, device=device) + self.pos) % self.cap
        self.o[idx], self.a[idx], self.r[idx], self.o2[idx], self.d[idx] = o, a, r, o2, d
        self.pos = (self.pos + n) % self.cap
        self.size = min(self.cap, self.size + n)

    def sample(self, n):
        i = torch.randint(0, self.size, (n,), device=device)
        return self.o[i], self.a[i], self.r[i], self.o2[i], self.d[i]


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(OBS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
                                 nn.Linear(HIDDEN, 2 * ACT))

    def forward(self, o):
        mu, log_std = self.net(o).chunk(2, -1)
        std = log_std.clamp(-20, 2).exp()
        pre = mu + std * torch.randn_like(mu)
        a = pre.tanh()
        logp = (-0.5 * ((pre - mu) / std) ** 2 - std.log() - 0.5 * math.log(2 * math.pi)).sum(-1, keepdim=True)
        logp = logp - (2 * (math.log(2) - pre - F.softplus(-2 * pre))).sum(-1, keepdim=True)
        return a, logp


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(OBS + ACT, HIDDEN), nn.LayerNorm(HIDDEN), nn.ReLU(),
                                 nn.Linear(HIDDEN, HIDDEN), nn.LayerNorm(HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, o, a):
        return self.net(torch.cat([o, a], -1))


torch.manual_seed(33)
critics = [Critic().to(device) for _ in range(N_CRITICS)]
params, buffers = stack_module_state(critics)
params = {k: v.detach().clone().requires_grad_() for k, v in params.items()}
target = {k: v.detach().clone() for k, v in params.items()}
skeleton = copy.deepcopy(critics[0]).to("meta")
del critics


def ensemble(p, o, a):
    return vmap(lambda q, b: functional_call(skeleton, (q, b), (o, a)))(p, buffers)


actor = Actor().to(device)
log_alpha = torch.zeros(1, device=device, requires_grad=True)
pi_opt = torch.optim.Adam(actor.parameters(), lr=LR)
q_opt = torch.optim.Adam(params.values(), lr=LR)
al_opt = torch.optim.Adam([log_alpha], lr=LR)
buf = Replay(CAPACITY)

# "environment": a random linear system with 4096 copies
A = torch.randn(OBS, OBS, device=device) * 0.9 / OBS ** 0.5
B = torch.randn(ACT, OBS, device=device) * 0.1
o = torch.randn(4096, OBS, device=device)
for t in range(20):
    with torch.no_grad():
        a, _ = actor(o)
        o2 = o @ A + a @ B + 0.01 * torch.randn_like(o)
        r = -(o2.square().mean(-1, keepdim=True)) - 0.01 * a.square().sum(-1, keepdim=True)
        d = (torch.rand_like(r) < 0.01).float()
    buf.add(o, a, r, o2, d)
    o = torch.where(d.bool(), torch.randn_like(o), o2)
print(f"buffer {buf.size} transitions, {torch.cuda.memory_allocated() / 2**20:.0f} MiB allocated")

for u in range(UPDATES):
    o, a, r, o2, d = buf.sample(BATCH)
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, lp2 = actor(o2)
        pick = torch.randperm(N_CRITICS, device=device)[:2]
        q_next = ensemble(target, o2, a2)[pick].amin(0) - alpha * lp2
        y = r + GAMMA * (1 - d) * q_next
    q = ensemble(params, o, a)
    q_loss = F.mse_loss(q, y.expand_as(q)) * N_CRITICS
    q_opt.zero_grad()
    q_loss.backward()
    q_opt.step()

    new_a, lp = actor(o)
    frozen = {k: v.detach() for k, v in params.items()}
    pi_loss = (alpha * lp - ensemble(frozen, o, new_a).mean(0)).mean()
    pi_opt.zero_grad()
    pi_loss.backward()
    pi_opt.step()

    al_loss = -(log_alpha.exp() * (lp.detach() - ACT)).mean()
    al_opt.zero_grad()
    al_loss.backward()
    al_opt.step()
    with torch.no_grad():
        for k in target:
            target[k].lerp_(params[k], TAU)
    print(f"{u}: q {q_loss.item():.3f} pi {pi_loss.item():.3f} alpha {alpha.item():.3f}")
print(f"max {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
