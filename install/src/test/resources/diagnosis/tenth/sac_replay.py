# limit: 1
import random
import torch
from torch import nn

OBS = (4, 84, 84)
N_ENV = 16


class Replay:
    def __init__(self):
        self.items = []

    def push(self, obs, action, reward, nxt):
        self.items.append((obs, action, reward, nxt))

    def sample(self, n):
        chosen = random.choices(self.items, k=n)
        return [torch.stack(part).flatten(0, 1) for part in zip(*chosen)]


def mlp(i, o):
    return nn.Sequential(nn.Flatten(), nn.Linear(i, 128), nn.ReLU(), nn.Linear(128, o))


actor = mlp(4 * 84 * 84, 6).cuda()
critic = mlp(4 * 84 * 84, 6).cuda()
opt_a = torch.optim.Adam(actor.parameters(), lr=3e-4)
opt_c = torch.optim.Adam(critic.parameters(), lr=3e-4)
replay = Replay()
obs = torch.rand(N_ENV, *OBS, device="cuda")

for step in range(5000):
    with torch.no_grad():
        action = actor(obs).softmax(-1).multinomial(1)
    nxt = torch.rand(N_ENV, *OBS, device="cuda")
    reward = torch.randn(N_ENV, device="cuda")
    replay.push(obs, action, reward, nxt)
    obs = nxt

    if step > 20 and step % 4 == 0:
        o, a, r, n = replay.sample(4)
        with torch.no_grad():
            target = r + 0.99 * critic(n).max(-1).values
        loss_c = (critic(o).gather(1, a).squeeze(1) - target).pow(2).mean()
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
        loss_a = (actor(o).softmax(-1) * -critic(o).detach()).sum(-1).mean()
        opt_a.zero_grad()
        loss_a.backward()
        opt_a.step()
    if step % 200 == 0:
        print(step, len(replay.items))
