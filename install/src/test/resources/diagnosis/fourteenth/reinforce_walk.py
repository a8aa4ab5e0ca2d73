# limit: 1.0
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(123)
dev = "cuda"


class Policy(nn.Module):
    def __init__(self, actions=4):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(4, 32, 8, 4), nn.ReLU(),
                                  nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
                                  nn.Conv2d(64, 64, 3, 1), nn.ReLU(), nn.Flatten())
        self.fc = nn.Sequential(nn.Linear(3136, 512), nn.ReLU())
        self.pi, self.v = nn.Linear(512, actions), nn.Linear(512, 1)

    def forward(self, s):
        h = self.fc(self.conv(s))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Maze:
    """Agents survive longer as training goes on."""

    def __init__(self, n=16):
        self.n, self.episode = n, 0

    def reset(self):
        self.episode += 1
        self.t, self.length = 0, min(40 * 2 ** (self.episode // 2), 640)
        return torch.rand(self.n, 4, 84, 84, device=dev)

    def step(self, a):
        self.t += 1
        return torch.rand(self.n, 4, 84, 84, device=dev), torch.randn(self.n, device=dev), self.t >= self.length


def play(policy, env):
    logps, values, rewards = [], [], []
    s, done = env.reset(), False
    while not done:
        dist, v = policy(s)
        a = dist.sample()
        logps.append(dist.log_prob(a))
        values.append(v)
        s, r, done = env.step(a)
        rewards.append(r)
    return torch.stack(logps), torch.stack(values), rewards


def returns(rewards, gamma=0.99):
    out, g = [], torch.zeros_like(rewards[0])
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    return torch.stack(out[::-1])


policy, env = Policy().to(dev), Maze()
opt = torch.optim.Adam(policy.parameters(), lr=2.5e-4)
for ep in range(10):
    logp, val, rew = play(policy, env)
    ret = returns(rew)
    adv = ret - val
    loss = -(logp * adv.detach()).mean() + 0.5 * adv.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"episode {ep}: {len(rew)} steps, loss {loss.item():.3f}")
