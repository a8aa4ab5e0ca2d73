"""SAC from pixels with a uint8 replay buffer kept on the GPU (DrQ-style random shifts)."""
import copy
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.distributions import Normal, TransformedDistribution, TanhTransform, Independent

CAPACITY = 20_000
FRAMES = 9          # three stacked rgb frames
SIZE = 84
ACT = 6
BATCH = 256
UPDATES = 6
FEAT = 50
TAU = 0.01
GAMMA = 0.99
device = "cuda"


class Replay:
    def __init__(self, n):
        self.obs = torch.zeros(n, FRAMES, SIZE, SIZE, dtype=torch.uint8, device=device)
        self.act = torch.zeros(n, ACT, device=device)
        self.rew = torch.zeros(n, 1, device=device)
        self.done = torch.zeros(n, 1, device=device)
        self.n, self.i, self.full = n, 0, False

    def add_batch(self, o, a, r, d):
        idx = (torch.arange(len(o), device=device) + self.i) % self.n
        self.obs[idx], self.act[idx], self.rew[idx], self.done[idx] = o, a, r, d
        self.full |= self.i + len(o) >= self.n
        self.i = (self.i + len(o)) % self.n

    def sample(self, b):
        top = self.n if self.full else self.i
        idx = torch.randint(0, top - 1, (b,), device=device)
        return self.obs[idx], self.act[idx], self.rew[idx], self.done[idx], self.obs[idx + 1]


def random_shift(x, pad=4):
    n, c, h, w = x.shape
    x = F.pad(x, (pad,) * 4, mode="replicate")
    eps = 1.0 / (h + 2 * pad)
    lin = torch.linspace(-1 + eps, 1 - eps, h + 2 * pad, device=x.device)[:h]
    base = torch.stack(torch.meshgrid(lin, lin, indexing="xy"), -1)[None].repeat(n, 1, 1, 1)
    shift = torch.randint(0, 2 * pad + 1, (n, 1, 1, 2), device=x.device) * (2.0 / (h + 2 * pad))
    return F.grid_sample(x, base + shift, padding_mode="zeros", align_corners=False)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(FRAMES, 32, 3, 2), nn.ReLU(), nn.Conv2d(32, 32, 3), nn.ReLU(),
                                  nn.Conv2d(32, 32, 3), nn.ReLU(), nn.Conv2d(32, 32, 3), nn.ReLU())
        self.trunk = nn.Sequential(nn.Linear(32 * 35 * 35, FEAT), nn.LayerNorm(FEAT), nn.Tanh())

    def forward(self, o, detach=False):
        h = self.conv(o / 255.0 - 0.5).flatten(1)
        return self.trunk(h.detach() if detach else h)


def mlp(i, o, h=1024):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = Encoder()
        self.q1, self.q2 = mlp(FEAT + ACT, 1), mlp(FEAT + ACT, 1)

    def forward(self, o, a):
        z = torch.cat([self.enc(o), a], 1)
        return self.q1(z), self.q2(z)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(FEAT, 2 * ACT)

    def forward(self, z):
        mu, ls = self.net(z).chunk(2, 1)
        ls = -5 + 3.5 * (torch.tanh(ls) + 1)
        return TransformedDistribution(Independent(Normal(mu, ls.exp()), 1), [TanhTransform(cache_size=1)])


torch.manual_seed(0)
critic, actor = Critic().to(device), Actor().to(device)
target = copy.deepcopy(critic).requires_grad_(False)
log_alpha = torch.tensor(math.log(0.1), device=device, requires_grad=True)
opt_c = torch.optim.Adam(critic.parameters(), 1e-3)
opt_a = torch.optim.Adam(actor.parameters(), 1e-3)
opt_t = torch.optim.Adam([log_alpha], 1e-4, betas=(0.5, 0.999))
buf = Replay(CAPACITY)
for _ in range(4):  # "environment" frames
    n = 1000
    buf.add_batch(torch.randint(0, 256, (n, FRAMES, SIZE, SIZE), dtype=torch.uint8, device=device),
                  torch.rand(n, ACT, device=device) * 2 - 1, torch.rand(n, 1, device=device),
                  (torch.rand(n, 1, device=device) < 0.01).float())

for step in range(UPDATES):
    o, a, r, d, o2 = buf.sample(BATCH)
    o, o2 = random_shift(o.float()), random_shift(o2.float())
    with torch.no_grad():
        pi = actor(critic.enc(o2))
        a2 = pi.rsample()
        q1, q2 = target(o2, a2)
        y = r + GAMMA * (1 - d) * (torch.min(q1, q2) - log_alpha.exp() * pi.log_prob(a2)[:, None])
    q1, q2 = critic(o, a)
    lc = F.mse_loss(q1, y) + F.mse_loss(q2, y)
    opt_c.zero_grad()
    lc.backward()
    opt_c.step()
    if step % 2 == 0:
        z = critic.enc(o, detach=True).detach()
        pi = actor(z)
        an = pi.rsample()
        lp = pi.log_prob(an)[:, None]
        za = torch.cat([z, an], 1)
        la = (log_alpha.exp().detach() * lp - torch.min(critic.q1(za), critic.q2(za))).mean()
        opt_a.zero_grad()
        la.backward()
        opt_a.step()
        lt = -(log_alpha.exp() * (lp + ACT).detach()).mean()
        opt_t.zero_grad()
        lt.backward()
        opt_t.step()
    with torch.no_grad():
        for p, tp in zip(critic.parameters(), target.parameters()):
            tp.lerp_(p, TAU)
    print(f"{step} critic {lc.item():.3f} actor {la.item():.3f} alpha {log_alpha.exp().item():.3f}")
print("replay GB", buf.obs.nbytes / 1e9, "peak GB", torch.cuda.max_memory_allocated() / 1e9)
