import argparse
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class ReplayBuffer:
    """Frames stored once as uint8 on the GPU; stacks of four put together when sampling."""

    def __init__(self, capacity, shape, device):
        self.frames = torch.zeros(capacity, *shape, dtype=torch.uint8, device=device)
        self.action = torch.zeros(capacity, dtype=torch.long, device=device)
        self.reward = torch.zeros(capacity, device=device)
        self.done = torch.zeros(capacity, dtype=torch.bool, device=device)
        self.prio = torch.zeros(capacity, device=device)
        self.cap, self.pos, self.full = capacity, 0, False
        self.device = device

    def add(self, frames, a, r, d):
        n = len(frames)
        idx = (torch.arange(n, device=self.device) + self.pos) % self.cap
        self.frames[idx], self.action[idx], self.reward[idx], self.done[idx] = frames, a, r, d
        self.prio[idx] = self.prio.max().clamp_min(1.0)
        self.full |= self.pos + n >= self.cap
        self.pos = (self.pos + n) % self.cap

    def __len__(self):
        return self.cap if self.full else self.pos

    def sample(self, n, beta, nstep, gamma):
        p = self.prio[: len(self)].pow(0.6).clone()
        p[:4] = 0
        p[-nstep - 1 :] = 0
        idx = torch.multinomial(p, n, replacement=True)
        w = (len(self) * p[idx] / p.sum()).pow(-beta)
        back = torch.arange(-3, 1, device=self.device)
        s = self.frames[idx[:, None] + back]
        s2 = self.frames[idx[:, None] + back + nstep]
        k = torch.arange(nstep, device=self.device)
        alive = (~self.done[idx[:, None] + k]).float().cumprod(1)
        disc = gamma ** k.float()
        r = (self.reward[idx[:, None] + k] * disc * torch.cat([torch.ones(n, 1, device=self.device), alive[:, :-1]], 1)).sum(1)
        return idx, s, self.action[idx], r, s2, alive[:, -1], w / w.max()


class DuelingC51(nn.Module):
    def __init__(self, actions, atoms=51, width=1):
        super().__init__()
        c = 32 * width
        self.actions, self.atoms = actions, atoms
        self.conv = nn.Sequential(
            nn.Conv2d(4, c, 8, 4), nn.ReLU(), nn.Conv2d(c, 2 * c, 4, 2), nn.ReLU(), nn.Conv2d(2 * c, 2 * c, 3, 1), nn.ReLU(),
            nn.Flatten(),
        )
        self.v = nn.Sequential(nn.Linear(2 * c * 49, 512), nn.ReLU(), nn.Linear(512, atoms))
        self.a = nn.Sequential(nn.Linear(2 * c * 49, 512), nn.ReLU(), nn.Linear(512, actions * atoms))

    def forward(self, s):
        h = self.conv(s.float() / 255)
        v, a = self.v(h)[:, None], self.a(h).view(-1, self.actions, self.atoms)
        return (v + a - a.mean(1, keepdim=True)).log_softmax(-1)


def project(logp, r, alive, support, gamma_n):
    z = (r[:, None] + alive[:, None] * gamma_n * support).clamp(support[0], support[-1])
    b = ((z - support[0]) / (support[1] - support[0])).clamp(0, len(support) - 1)
    lo, hi = b.floor().long(), b.ceil().long()
    lo = torch.where((lo == hi) & (lo > 0), lo - 1, lo)
    hi = torch.where(lo == hi, hi + 1, hi)
    p, m = logp.exp(), torch.zeros_like(logp)
    m.scatter_add_(1, lo, p * (hi.float() - b))
    m.scatter_add_(1, hi, p * (b - lo.float()))
    return m


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--capacity", type=int, default=120_000)
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--width", type=int, default=2)
    ap.add_argument("--updates", type=int, default=8)
    ap.add_argument("--actions", type=int, default=6)
    ap.add_argument("--nstep", type=int, default=3)
    ap.add_argument("--gamma", type=float, default=0.99)
    a = ap.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    dev = torch.device("cuda")
    rb = ReplayBuffer(a.capacity, (84, 84), dev)
    while not rb.full:
        n = 20_000
        rb.add(torch.randint(0, 256, (n, 84, 84), dtype=torch.uint8, device=dev),
               torch.randint(0, a.actions, (n,), device=dev), torch.randn(n, device=dev).sign(),
               torch.rand(n, device=dev) < 0.005)
    print("replay", torch.cuda.memory_allocated() >> 20, "MiB")
    online = DuelingC51(a.actions, width=a.width).to(dev)
    target = copy.deepcopy(online).requires_grad_(False)
    support = torch.linspace(-10, 10, online.atoms, device=dev)
    opt = torch.optim.RMSprop(online.parameters(), lr=1e-4, alpha=0.95, centered=True, eps=1e-2)
    for u in range(a.updates):
        idx, s, act, r, s2, alive, w = rb.sample(a.batch, 0.4 + 0.6 * u / a.updates, a.nstep, a.gamma)
        rows = torch.arange(a.batch, device=dev)
        with torch.no_grad():
            best = (online(s2).exp() * support).sum(-1).argmax(1)
            m = project(target(s2)[rows, best], r, alive, support, a.gamma**a.nstep)
        ce = -(m * online(s)[rows, act]).sum(-1)
        loss = (w * ce).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(online.parameters(), 10)
        opt.step()
        rb.prio[idx] = ce.detach() + 1e-3
        with torch.no_grad():
            for p, q in zip(target.parameters(), online.parameters()):
                p.lerp_(q, 0.05)
        print(f"update {u} loss {loss.item():.4f} td {ce.mean().item():.4f}")
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
