"""Recurrent PPO (GRU actor-critic) on a batched, GPU-resident partially observed maze."""
import argparse
from typing import NamedTuple

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Rollout(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    val: torch.Tensor
    rew: torch.Tensor
    done: torch.Tensor
    h0: torch.Tensor


class Maze:
    """Agent sees a (V, V) window of random walls and a noisy compass to the goal."""

    moves = ((0, 1), (0, -1), (1, 0), (-1, 0))

    def __init__(self, n, size, view, device):
        self.n, self.size, self.view, self.device = n, size, view, device
        self.walls = (torch.rand(n, size + view, size + view, device=device) < 0.2)
        self.delta = torch.tensor(self.moves, device=device)
        self.reset(torch.ones(n, dtype=torch.bool, device=device))

    def reset(self, mask):
        new_pos = torch.randint(0, self.size, (self.n, 2), device=self.device)
        new_goal = torch.randint(0, self.size, (self.n, 2), device=self.device)
        if not hasattr(self, "pos"):
            self.pos, self.goal = new_pos, new_goal
            self.t = torch.zeros(self.n, dtype=torch.long, device=self.device)
        self.pos = torch.where(mask[:, None], new_pos, self.pos)
        self.goal = torch.where(mask[:, None], new_goal, self.goal)
        self.t = torch.where(mask, torch.zeros_like(self.t), self.t)

    def obs(self):
        r = torch.arange(self.view, device=self.device)
        rows = (self.pos[:, 0, None] + r)[:, :, None]
        cols = (self.pos[:, 1, None] + r)[:, None, :]
        win = self.walls[torch.arange(self.n, device=self.device)[:, None, None], rows, cols].float()
        comp = (self.goal - self.pos).float() / self.size
        return torch.cat([win.flatten(1), comp + 0.1 * torch.randn_like(comp)], 1)

    def step(self, a):
        new = (self.pos + self.delta[a]).clamp(0, self.size - 1)
        blocked = self.walls[torch.arange(self.n, device=self.device), new[:, 0], new[:, 1]]
        self.pos = torch.where(blocked[:, None], self.pos, new)
        self.t += 1
        hit = (self.pos == self.goal).all(1)
        done = hit | (self.t >= 60)
        rew = hit.float() - 0.01 - 0.02 * blocked.float()
        self.reset(done)
        return self.obs(), rew, done


class ActorCritic(nn.Module):
    def __init__(self, obs, hid, n_act=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(obs, hid), nn.ELU(), nn.Linear(hid, hid), nn.ELU())
        self.cell = nn.GRUCell(hid, hid)
        self.pi = nn.Linear(hid, n_act)
        self.v = nn.Linear(hid, 1)

    def forward(self, o, h):
        h = self.cell(self.enc(o), h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


@torch.no_grad()
def collect(env, net, obs, h, T):
    buf, h0 = [], h.clone()
    for _ in range(T):
        d, v, h = net(obs, h)
        a = d.sample()
        nobs, r, done = env.step(a)
        buf.append((obs, a, d.log_prob(a), v, r, done.float()))
        h = h * (~done).float()[:, None]
        obs = nobs
    _, last_v, _ = net(obs, h)
    return Rollout(*[torch.stack(x) for x in zip(*buf)], h0), last_v, obs, h


def gae(ro, last_v, gamma=0.99, lam=0.95):
    adv, run, nxt = torch.zeros_like(ro.rew), torch.zeros_like(last_v), last_v
    for t in reversed(range(len(ro.rew))):
        m = 1 - ro.done[t]
        delta = ro.rew[t] + gamma * nxt * m - ro.val[t]
        run = delta + gamma * lam * m * run
        adv[t], nxt = run, ro.val[t]
    return adv, adv + ro.val


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--envs", type=int, default=4096)
    p.add_argument("--horizon", type=int, default=48)
    p.add_argument("--hidden", type=int, default=256)
    p.add_argument("--updates", type=int, default=3)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--minibatches", type=int, default=4)
    a = p.parse_args()
    torch.manual_seed(42)
    dev = "cuda"
    env = Maze(a.envs, 16, 9, dev)
    net = ActorCritic(9 * 9 + 2, a.hidden).to(dev)
    opt = torch.optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
    obs, h = env.obs(), torch.zeros(a.envs, a.hidden, device=dev)
    for u in range(a.updates):
        ro, last_v, obs, h = collect(env, net, obs, h, a.horizon)
        adv, ret = gae(ro, last_v)
        for _ in range(a.epochs):
            for idx in torch.randperm(a.envs, device=dev).chunk(a.minibatches):
                hh = ro.h0[idx]
                lps, vs, ents = [], [], []
                for t in range(a.horizon):  # BPTT through the whole segment
                    d, v, hh = net(ro.obs[t, idx], hh)
                    lps.append(d.log_prob(ro.act[t, idx]))
                    vs.append(v)
                    ents.append(d.entropy())
                    hh = hh * (1 - ro.done[t, idx])[:, None]
                lp, v, ent = torch.stack(lps), torch.stack(vs), torch.stack(ents).mean()
                A = adv[:, idx]
                A = (A - A.mean()) / (A.std() + 1e-8)
                ratio = (lp - ro.logp[:, idx]).exp()
                pg = -torch.min(ratio * A, ratio.clamp(0.8, 1.2) * A).mean()
                vl = 0.5 * (v - ret[:, idx]).pow(2).mean()
                loss = pg + 0.5 * vl - 0.01 * ent
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
        print(f"update {u} reward {ro.rew.mean().item():.4f} pg {pg.item():.4f} v {vl.item():.4f} ent {ent.item():.3f}")
    print("peak GiB", torch.cuda.max_memory_allocated() / 2**30)


if __name__ == "__main__":
    main()
