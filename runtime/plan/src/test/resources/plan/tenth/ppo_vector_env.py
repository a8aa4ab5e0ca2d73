"""PPO (single file, cleanrl style) on a toy pixel env that lives on the GPU."""
import argparse
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical


class CatchEnv:
    """Falling ball, moving paddle; 84x84 frames, 4 stacked."""

    def __init__(self, n, device):
        self.n, self.device = n, device
        self.grid = 84
        self.reset()

    def reset(self):
        self.ball = torch.randint(4, self.grid - 4, (self.n,), device=self.device)
        self.y = torch.zeros(self.n, dtype=torch.long, device=self.device)
        self.paddle = torch.full((self.n,), self.grid // 2, device=self.device)
        self.frames = torch.zeros(self.n, 4, self.grid, self.grid, dtype=torch.uint8, device=self.device)
        return self.render()

    def render(self):
        f = torch.zeros(self.n, self.grid, self.grid, dtype=torch.uint8, device=self.device)
        i = torch.arange(self.n, device=self.device)
        f[i, self.y.clamp(max=self.grid - 1), self.ball] = 255
        f[i, self.grid - 1, self.paddle] = 128
        self.frames = torch.cat([self.frames[:, 1:], f[:, None]], 1)
        return self.frames

    def step(self, action):
        self.paddle = (self.paddle + (action - 1) * 3).clamp(0, self.grid - 1)
        self.y = self.y + 6
        done = self.y >= self.grid - 1
        reward = torch.where(done, ((self.ball - self.paddle).abs() < 6).float() * 2 - 1, 0.0)
        self.y = torch.where(done, 0, self.y)
        new_ball = torch.randint(4, self.grid - 4, (self.n,), device=self.device)
        self.ball = torch.where(done, new_ball, self.ball)
        return self.render(), reward, done.float()


def layer_init(layer, std=2 ** 0.5, bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class Agent(nn.Module):
    def __init__(self, n_actions=3):
        super().__init__()
        self.network = nn.Sequential(
            layer_init(nn.Conv2d(4, 32, 8, stride=4)), nn.ReLU(),
            layer_init(nn.Conv2d(32, 64, 4, stride=2)), nn.ReLU(),
            layer_init(nn.Conv2d(64, 64, 3, stride=1)), nn.ReLU(),
            nn.Flatten(), layer_init(nn.Linear(64 * 7 * 7, 512)), nn.ReLU())
        self.actor = layer_init(nn.Linear(512, n_actions), std=0.01)
        self.critic = layer_init(nn.Linear(512, 1), std=1)

    def forward(self, x, action=None):
        h = self.network(x / 255.0)
        dist = Categorical(logits=self.actor(h))
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action), dist.entropy(), self.critic(h).squeeze(-1)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--num-envs", type=int, default=256)
    ap.add_argument("--num-steps", type=int, default=64)
    ap.add_argument("--updates", type=int, default=2)
    ap.add_argument("--minibatches", type=int, default=4)
    args = ap.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    envs, agent = CatchEnv(args.num_envs, device), Agent().to(device)
    opt = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    S, N = args.num_steps, args.num_envs
    obs = torch.zeros((S, N, 4, 84, 84), dtype=torch.uint8, device=device)
    actions = torch.zeros((S, N), dtype=torch.long, device=device)
    logp, rew, dones, vals = (torch.zeros((S, N), device=device) for _ in range(4))
    nxt, nxt_done = envs.reset(), torch.zeros(N, device=device)
    for update in range(args.updates):
        for t in range(S):
            obs[t], dones[t] = nxt, nxt_done
            with torch.no_grad():
                actions[t], logp[t], _, vals[t] = agent(nxt)
            nxt, rew[t], nxt_done = envs.step(actions[t])
        with torch.no_grad():
            adv, last, v_next = torch.zeros_like(rew), 0, agent(nxt)[3]
            for t in reversed(range(S)):
                mask = 1.0 - (nxt_done if t == S - 1 else dones[t + 1])
                delta = rew[t] + 0.99 * (v_next if t == S - 1 else vals[t + 1]) * mask - vals[t]
                adv[t] = last = delta + 0.99 * 0.95 * mask * last
            ret = adv + vals
        flat = [v.flatten(0, 1) for v in (obs, actions, logp, adv, ret)]
        for epoch in range(2):
            for mb in torch.randperm(S * N, device=device).chunk(args.minibatches):
                o, a, lp, ad, r = [v[mb] for v in flat]
                _, newlp, ent, v = agent(o, a)
                ratio = (newlp - lp).exp()
                ad = (ad - ad.mean()) / (ad.std() + 1e-8)
                pg = torch.max(-ad * ratio, -ad * ratio.clamp(0.8, 1.2)).mean()
                loss = pg - 0.01 * ent.mean() + 0.5 * 0.5 * (v - r).pow(2).mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                opt.step()
        print(f"update {update} loss {loss.item():.4f} return {ret.mean().item():.3f} reward {rew.sum(0).mean():.2f}")
