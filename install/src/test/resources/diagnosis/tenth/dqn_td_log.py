# limit: 1
import random

import torch
from torch import nn, optim


class QNet(nn.Module):
    def __init__(self, obs=512, actions=18, width=1536):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, actions)

    def forward(self, x):
        return self.head(self.body(x))


class Agent:
    def __init__(self, device):
        self.device = device
        self.online = QNet().to(device)
        self.target = QNet().to(device)
        self.target.load_state_dict(self.online.state_dict())
        self.opt = optim.Adam(self.online.parameters(), lr=1e-4)
        self.gamma = 0.99
        self.priorities = []

    def sample(self, n=512):
        obs = torch.randn(n, 512, device=self.device)
        nxt = torch.randn(n, 512, device=self.device)
        act = torch.randint(0, 18, (n,), device=self.device)
        rew = torch.randn(n, device=self.device)
        return obs, act, rew, nxt

    def learn(self):
        obs, act, rew, nxt = self.sample()
        q = self.online(obs).gather(1, act.unsqueeze(1)).squeeze(1)
        best = self.target(nxt).max(1).values
        expected = rew + self.gamma * best
        loss = nn.functional.smooth_l1_loss(q, expected.detach())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.priorities.append((expected - q.detach()).abs())
        return loss.item()

    def sync(self):
        self.target.load_state_dict(self.online.state_dict())


agent = Agent("cuda")
for step in range(2000):
    value = agent.learn()
    if step % 100 == 0:
        agent.sync()
        print(f"step {step} loss {value:.4f} priorities {len(agent.priorities)}")
