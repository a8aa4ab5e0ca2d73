# limit: 1.0
# recurrent REINFORCE, maze curriculum: longer episodes as the agent gets better
import torch
import torch.nn as nn

DEV = "cuda"
ENVS = 64
torch.manual_seed(0)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(3, 32, 4, 2), nn.ReLU(),
            nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
            nn.Conv2d(64, 64, 4, 2), nn.ReLU(), nn.Flatten())
        self.rnn = nn.GRUCell(64 * 6 * 6, 256)
        self.pi = nn.Linear(256, 4)

    def forward(self, obs, h):
        h = self.rnn(self.enc(obs), h)
        return torch.distributions.Categorical(logits=self.pi(h)), h


class Maze:
    def __init__(self, n):
        self.pos = torch.zeros(n, 2, device=DEV)

    def step(self, a):
        d = torch.stack([(a == 0).float() - (a == 1).float(),
                         (a == 2).float() - (a == 3).float()], 1)
        self.pos = (self.pos + d).clamp(-32, 31)
        return self.render(), self.pos.sum(1) * 0.01

    def render(self):
        base = torch.rand(len(self.pos), 3, 64, 64, device=DEV)
        return base + self.pos.mean(1)[:, None, None, None] * 0.01


def episode(agent, length):
    env = Maze(ENVS)
    obs, h = env.render(), torch.zeros(ENVS, 256, device=DEV)
    logps, rewards = [], []
    for _ in range(length):
        dist, h = agent(obs, h)
        a = dist.sample()
        logps.append(dist.log_prob(a))
        obs, r = env.step(a)
        rewards.append(r)
    ret = torch.stack(rewards).flip(0).cumsum(0).flip(0)
    return -(torch.stack(logps) * (ret - ret.mean())).mean(), ret[0].mean().item()


agent = Agent().to(DEV)
opt = torch.optim.RMSprop(agent.parameters(), lr=3e-4)
for length in (10, 20, 40, 80, 160):
    for _ in range(5):
        loss, ret = episode(agent, length)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        opt.step()
    print(f"length {length}: return {ret:.3f}")
