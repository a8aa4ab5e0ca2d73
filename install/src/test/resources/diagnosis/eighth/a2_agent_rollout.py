# limit: 4
# "PPO from scratch: OOM before the first update even starts, with a rollout of 64"
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(3)
dev = torch.device("cuda")
ENVS, STEPS, ACTIONS = 64, 64, 6


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(4, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(64, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(),
        )
        self.pi = nn.Linear(512, ACTIONS)
        self.v = nn.Linear(512, 1)

    def forward(self, obs):
        h = self.features(obs.float() / 255)
        return self.pi(h), self.v(h).squeeze(-1)


class Rollout:
    def __init__(self):
        self.obs, self.actions, self.logp, self.values, self.rewards = [], [], [], [], []

    def add(self, obs, action, logp, value, reward):
        self.obs.append(obs.cpu())
        self.actions.append(action)
        self.logp.append(logp)
        self.values.append(value)
        self.rewards.append(reward)


def fake_env():
    while True:
        yield torch.randint(0, 256, (ENVS, 4, 84, 84), dtype=torch.uint8, device=dev), torch.randn(ENVS, device=dev)


def collect(agent, env):
    rollout = Rollout()
    obs, _ = next(env)
    for _ in range(STEPS):
        logits, value = agent(obs)
        action = torch.randint(0, ACTIONS, (ENVS,), device=dev)
        logp = Categorical(logits=logits, validate_args=False).log_prob(action)
        nxt, reward = next(env)
        rollout.add(obs, action, logp, value, reward)
        obs = nxt
    return rollout


def update(agent, opt, rollout):
    for obs, action, old_logp, old_value, reward in zip(*vars(rollout).values()):
        logits, value = agent(obs.to(dev))
        logp = Categorical(logits=logits, validate_args=False).log_prob(action)
        adv = reward - old_value.detach()
        ratio = (logp - old_logp.detach()).exp()
        loss = -(torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)).mean() + (value - reward).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


agent = ActorCritic().to(dev)
optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4)
env = fake_env()
for it in range(3):
    update(agent, optimizer, collect(agent, env))
    print("iteration", it)
