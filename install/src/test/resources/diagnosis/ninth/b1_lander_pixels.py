# limit: 2
import torch
import torch.nn as nn
from torch.distributions import Categorical

dev = "cuda"
ENVS, STEPS, ACTIONS, GAMMA = 64, 256, 6, 0.99


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(4, 32, 8, 4), nn.ReLU(),
            nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
            nn.Conv2d(64, 64, 3, 1), nn.ReLU(),
            nn.Flatten(), nn.Linear(3136, 512), nn.ReLU())
        self.pi, self.v = nn.Linear(512, ACTIONS), nn.Linear(512, 1)

    def forward(self, pixels):
        h = self.net(pixels.float() / 255)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Landers:
    def reset(self):
        return torch.randint(0, 256, (ENVS, 4, 84, 84), dtype=torch.uint8, device=dev)

    def step(self, action):
        return self.reset(), (action == 2).float() - 0.1


def rollout(env, policy):
    obs = env.reset()
    logps, values, rewards = [], [], []
    for _ in range(STEPS):
        dist, value = policy(obs)
        action = dist.sample()
        obs, reward = env.step(action)
        logps.append(dist.log_prob(action))
        values.append(value)
        rewards.append(reward)
    return logps, values, rewards


def update(policy, opt, logps, values, rewards):
    ret, loss = torch.zeros(ENVS, device=dev), 0
    for logp, value, reward in zip(reversed(logps), reversed(values), reversed(rewards)):
        ret = reward + GAMMA * ret
        adv = ret - value
        loss = loss - (logp * adv.detach()).mean() + 0.5 * adv.pow(2).mean()
    opt.zero_grad()
    (loss / STEPS).backward()
    opt.step()
    return loss.item() / STEPS


policy = Policy().to(dev)
opt = torch.optim.Adam(policy.parameters(), lr=2.5e-4)
env = Landers()
for it in range(5):
    print(it, update(policy, opt, *rollout(env, policy)))
