# limit: 3
"""DQN with a replay ring on the GPU."""
import random
import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)


def qnet():
    return nn.Sequential(nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
                         nn.Flatten(), nn.Linear(64 * 81, 256), nn.ReLU(), nn.Linear(256, 6)).cuda()


class Replay:
    def __init__(self, size):
        self.obs = torch.zeros(size, 4, 84, 84, dtype=torch.uint8, device="cuda")
        self.act = torch.zeros(size, dtype=torch.long, device="cuda")
        self.rew = torch.zeros(size, device="cuda")
        self.n, self.size = 0, size

    def push(self, obs, act, rew):
        i = self.n % self.size
        self.obs[i], self.act[i], self.rew[i] = obs, act, rew
        self.n += 1

    def sample(self, k):
        i = torch.randint(0, min(self.n, self.size) - 1, (k,), device="cuda")
        return self.obs[i].float() / 255, self.act[i], self.rew[i], self.obs[i + 1].float() / 255


net, target = qnet(), qnet()
target.load_state_dict(net.state_dict())
opt = torch.optim.Adam(net.parameters(), lr=1e-4)
buf = Replay(19000)
for step in range(1500):
    buf.push(torch.randint(0, 256, (4, 84, 84), dtype=torch.uint8, device="cuda"), random.randrange(6), random.random())
    if step > 64 and step % 4 == 0:
        s, a, r, s2 = buf.sample(64)
        with torch.no_grad():
            y = r + 0.99 * target(s2).max(1).values
        loss = F.smooth_l1_loss(net(s).gather(1, a[:, None]).squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if step % 500 == 0:
        target.load_state_dict(net.state_dict())
print("done", loss.item())
