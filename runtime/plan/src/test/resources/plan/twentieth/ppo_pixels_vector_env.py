"""PPO (cleanrl-like, single file) with a vectorized toy pixel environment living on the CPU."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions.categorical import Categorical


@dataclass
class Args:
    seed: int = 1
    num_envs: int = 32
    num_steps: int = 64
    updates: int = 2
    epochs: int = 2
    minibatches: int = 2
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.1
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    lr: float = 2.5e-4
    frame: int = 84
    stack: int = 4


class CatchEnvs:
    """Move the paddle under the ball. Four stacked uint8 frames as observation."""

    def __init__(self, n, frame, stack, seed):
        self.rng = np.random.default_rng(seed)
        self.n, self.f, self.k = n, frame, stack
        self.obs = np.zeros((n, stack, frame, frame), dtype=np.uint8)
        self.ball = np.zeros((n, 2), dtype=int)
        self.pad = np.full(n, frame // 2)
        self.ball[:, 1] = self.rng.integers(4, frame - 4, n)

    def _draw(self):
        self.obs[:, :-1] = self.obs[:, 1:]
        new = np.zeros((self.n, self.f, self.f), dtype=np.uint8)
        for i in range(self.n):
            y, x = self.ball[i]
            new[i, y:y + 3, x - 1:x + 2] = 255
            new[i, -3:, self.pad[i] - 4:self.pad[i] + 5] = 128
        self.obs[:, -1] = new
        return self.obs.copy()

    def reset(self):
        return self._draw()

    def step(self, act):
        self.pad = np.clip(self.pad + (act - 1) * 3, 5, self.f - 6)
        self.ball[:, 0] += 4
        done = self.ball[:, 0] >= self.f - 5
        rew = np.where(done, np.where(np.abs(self.ball[:, 1] - self.pad) < 6, 1.0, -1.0), 0.0)
        self.ball[done, 0] = 0
        self.ball[done, 1] = self.rng.integers(4, self.f - 4, done.sum())
        return self._draw(), rew.astype(np.float32), done.astype(np.float32)


def layer_init(layer, std=np.sqrt(2), bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class Agent(nn.Module):
    def __init__(self, a, n_actions=3):
        super().__init__()
        self.network = nn.Sequential(
            layer_init(nn.Conv2d(a.stack, 64, 8, stride=4)), nn.ReLU(),
            layer_init(nn.Conv2d(64, 128, 4, stride=2)), nn.ReLU(),
            layer_init(nn.Conv2d(128, 128, 3, stride=1)), nn.ReLU(),
            nn.Flatten(), nn.LazyLinear(512), nn.ReLU())
        self.actor = layer_init(nn.Linear(512, n_actions), std=0.01)
        self.critic = layer_init(nn.Linear(512, 1), std=1)

    def value(self, x):
        return self.critic(self.network(x / 255.0)).squeeze(-1)

    def act(self, x, action=None):
        h = self.network(x / 255.0)
        dist = Categorical(logits=self.actor(h))
        action = dist.sample() if action is None else action
        return action, dist.log_prob(action), dist.entropy(), self.critic(h).squeeze(-1)


if __name__ == "__main__":
    a = Args()
    torch.manual_seed(a.seed)
    dev = torch.device("cuda")
    envs = CatchEnvs(a.num_envs, a.frame, a.stack, a.seed)
    agent = Agent(a).to(dev)
    next_obs = torch.tensor(envs.reset(), device=dev, dtype=torch.float32)
    agent.value(next_obs)  # materialize the lazy layer
    opt = optim.Adam(agent.parameters(), lr=a.lr, eps=1e-5)
    obs = torch.zeros((a.num_steps, a.num_envs, a.stack, a.frame, a.frame), device=dev)
    actions = torch.zeros((a.num_steps, a.num_envs), device=dev, dtype=torch.long)
    logps, rewards, dones, values = (torch.zeros((a.num_steps, a.num_envs), device=dev) for _ in range(4))
    next_done = torch.zeros(a.num_envs, device=dev)
    for update in range(a.updates):
        opt.param_groups[0]["lr"] = a.lr * (1 - update / a.updates)
        for t in range(a.num_steps):
            obs[t], dones[t] = next_obs, next_done
            with torch.no_grad():
                actions[t], logps[t], _, values[t] = agent.act(next_obs)
            o, r, d = envs.step(actions[t].cpu().numpy())
            rewards[t] = torch.tensor(r, device=dev)
            next_obs, next_done = torch.tensor(o, device=dev, dtype=torch.float32), torch.tensor(d, device=dev)
        with torch.no_grad():
            nv, adv, last = agent.value(next_obs), torch.zeros_like(rewards), 0
            for t in reversed(range(a.num_steps)):
                nonterm = 1.0 - (next_done if t == a.num_steps - 1 else dones[t + 1])
                nxt = nv if t == a.num_steps - 1 else values[t + 1]
                last = rewards[t] + a.gamma * nxt * nonterm - values[t] + a.gamma * a.gae_lambda * nonterm * last
                adv[t] = last
            ret = adv + values
        flat = [x.flatten(0, 1) for x in (obs, actions, logps, adv, ret)]
        B = a.num_steps * a.num_envs
        for epoch in range(a.epochs):
            for idx in torch.randperm(B, device=dev).split(B // a.minibatches):
                b_obs, b_act, b_logp, b_adv, b_ret = (x[idx] for x in flat)
                _, lp, ent, v = agent.act(b_obs, b_act)
                ratio = (lp - b_logp).exp()
                b_adv = (b_adv - b_adv.mean()) / (b_adv.std() + 1e-8)
                pg = torch.max(-b_adv * ratio, -b_adv * ratio.clamp(1 - a.clip, 1 + a.clip)).mean()
                loss = pg - a.ent_coef * ent.mean() + a.vf_coef * 0.5 * (v - b_ret).square().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), a.max_grad_norm)
                opt.step()
        print(f"update {update} loss {loss.item():.4f} mean reward {rewards.sum().item() / a.num_envs:.2f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
