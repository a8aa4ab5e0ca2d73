"""PPO with a CNN (Nature) actor-critic on a toy vectorised pixel environment living on the GPU.
The rollout buffer is kept as uint8 on the device."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Args:
    num_envs: int = 64
    num_steps: int = 128
    updates: int = 3
    epochs: int = 2
    minibatches: int = 4
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.1
    ent: float = 0.01
    vf: float = 0.5
    lr: float = 2.5e-4
    max_norm: float = 0.5
    device: str = "cuda"


class CatchEnv:
    """A ball falls on an 84x84 screen; the paddle moves left / stays / right. Stack of 4 frames."""

    def __init__(self, n, device):
        self.n, self.dev = n, device
        self.ball = torch.randint(0, 84, (n,), device=device)
        self.row = torch.randint(0, 40, (n,), device=device)
        self.paddle = torch.full((n,), 42, device=device)
        self.frames = torch.zeros(n, 4, 84, 84, dtype=torch.uint8, device=device)
        self.ar = torch.arange(n, device=device)

    def render(self):
        f = torch.zeros(self.n, 84, 84, dtype=torch.uint8, device=self.dev)
        f[self.ar, self.row.clamp(max=83), self.ball] = 255
        for d in range(-3, 4):
            f[self.ar, 83, (self.paddle + d).clamp(0, 83)] = 128
        self.frames = torch.cat([self.frames[:, 1:], f[:, None]], 1)
        return self.frames

    def step(self, a):
        self.paddle = (self.paddle + (a - 1) * 3).clamp(0, 83)
        self.row = self.row + 4
        done = self.row >= 83
        rew = torch.where(done, ((self.ball - self.paddle).abs() <= 5).float() * 2 - 1, 0.0)
        self.row = torch.where(done, 0, self.row)
        self.ball = torch.where(done, torch.randint(0, 84, (self.n,), device=self.dev), self.ball)
        return self.render(), rew, done.float()


def ortho(layer, gain=2 ** 0.5):
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    def __init__(self, actions=3):
        super().__init__()
        self.net = nn.Sequential(ortho(nn.Conv2d(4, 32, 8, 4)), nn.ReLU(), ortho(nn.Conv2d(32, 64, 4, 2)), nn.ReLU(),
                                 ortho(nn.Conv2d(64, 64, 3, 1)), nn.ReLU(), nn.Flatten(),
                                 ortho(nn.Linear(3136, 512)), nn.ReLU())
        self.pi, self.v = ortho(nn.Linear(512, actions), 0.01), ortho(nn.Linear(512, 1), 1.0)

    def forward(self, obs):
        h = self.net(obs.float() / 255)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main(a: Args):
    torch.manual_seed(1)
    T, N, dev = a.num_steps, a.num_envs, a.device
    env, agent = CatchEnv(N, dev), Agent().to(dev)
    opt = torch.optim.Adam(agent.parameters(), lr=a.lr, eps=1e-5)
    obs_b = torch.zeros(T, N, 4, 84, 84, dtype=torch.uint8, device=dev)
    act_b = torch.zeros(T, N, dtype=torch.long, device=dev)
    logp_b, rew_b, done_b, val_b = (torch.zeros(T, N, device=dev) for _ in range(4))
    obs, done = env.render(), torch.zeros(N, device=dev)
    for u in range(a.updates):
        opt.param_groups[0]["lr"] = a.lr * (1 - u / a.updates)
        with torch.no_grad():
            for t in range(T):
                dist, v = agent(obs)
                act = dist.sample()
                obs_b[t], act_b[t], logp_b[t], val_b[t], done_b[t] = obs, act, dist.log_prob(act), v, done
                obs, rew_b[t], done = env.step(act)
            nxt = agent(obs)[1]
            adv, last = torch.zeros_like(rew_b), 0
            for t in reversed(range(T)):
                nonterm = 1 - (done if t == T - 1 else done_b[t + 1])
                nv = nxt if t == T - 1 else val_b[t + 1]
                delta = rew_b[t] + a.gamma * nv * nonterm - val_b[t]
                adv[t] = last = delta + a.gamma * a.lam * nonterm * last
            ret = adv + val_b
        flat = [x.flatten(0, 1) for x in (obs_b, act_b, logp_b, adv, ret)]
        for _ in range(a.epochs):
            for idx in torch.randperm(T * N, device=dev).chunk(a.minibatches):
                o, ac, lp, ad, rt = (x[idx] for x in flat)
                dist, v = agent(o)
                ratio = (dist.log_prob(ac) - lp).exp()
                ad = (ad - ad.mean()) / (ad.std() + 1e-8)
                pg = torch.max(-ad * ratio, -ad * ratio.clamp(1 - a.clip, 1 + a.clip)).mean()
                loss = pg + a.vf * 0.5 * (v - rt).pow(2).mean() - a.ent * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), a.max_norm)
                opt.step()
        print(f"update {u}: loss {loss.item():.4f} reward/step {rew_b.mean().item():.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main(Args())
