# limit: 3
"""REINFORCE with a conv policy; a batch of 16 environments is stepped together."""
import torch
import torch.nn as nn
from torch.distributions import Categorical


class VecEnv:
    """Stand-in of the game: random frames and rewards."""

    def __init__(self, n, length):
        self.n, self.length, self.t = n, length, 0

    def reset(self):
        self.t = 0
        return torch.rand(self.n, 4, 84, 84, device="cuda")

    def step(self, action):
        self.t += 1
        reward = (action == self.t % 6).float()
        return torch.rand(self.n, 4, 84, 84, device="cuda"), reward, self.t >= self.length


class Policy(nn.Module):
    def __init__(self, actions=6):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(4, 32, 8, stride=4), nn.ReLU(),
            nn.Conv2d(32, 64, 4, stride=2), nn.ReLU(),
            nn.Conv2d(64, 64, 3), nn.ReLU(), nn.Flatten(),
            nn.Linear(3136, 512), nn.ReLU())
        self.pi = nn.Linear(512, actions)

    def forward(self, obs):
        return Categorical(logits=self.pi(self.body(obs)))


def run_episode(env, policy):
    log_probs, rewards = [], []
    obs, done = env.reset(), False
    while not done:
        dist = policy(obs)
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        obs, reward, done = env.step(action)
        rewards.append(reward)
    return log_probs, rewards


def returns(rewards, gamma=0.99):
    out, g = [], torch.zeros_like(rewards[0])
    for r in reversed(rewards):
        g = r + gamma * g
        out.append(g)
    r = torch.stack(out[::-1])
    return (r - r.mean()) / (r.std() + 1e-6)


torch.manual_seed(7)
env, policy = VecEnv(16, 1500), Policy().to("cuda")
opt = torch.optim.Adam(policy.parameters(), lr=1e-4)
for episode in range(3):
    log_probs, rewards = run_episode(env, policy)
    loss = -(torch.stack(log_probs) * returns(rewards)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print("episode", episode, loss.item())
