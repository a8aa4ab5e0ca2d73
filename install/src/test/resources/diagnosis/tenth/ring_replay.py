# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F


class RingReplay:
    """A fixed number of transitions, overwritten when full."""

    def __init__(self, capacity, shape):
        self.obs = torch.zeros(capacity, *shape, dtype=torch.uint8, device="cuda")
        self.action = torch.zeros(capacity, dtype=torch.long, device="cuda")
        self.reward = torch.zeros(capacity, device="cuda")
        self.capacity, self.at, self.full = capacity, 0, False

    def push(self, obs, action, reward):
        n = obs.shape[0]
        idx = (torch.arange(n, device="cuda") + self.at) % self.capacity
        self.obs[idx], self.action[idx], self.reward[idx] = obs, action, reward
        self.full = self.full or self.at + n >= self.capacity
        self.at = (self.at + n) % self.capacity

    def sample(self, n):
        top = self.capacity if self.full else self.at
        idx = torch.randint(0, max(1, top - 1), (n,), device="cuda")
        return self.obs[idx], self.action[idx], self.reward[idx], self.obs[(idx + 1) % self.capacity]


class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(4 * 84 * 84, 256), nn.ReLU(), nn.Linear(256, 6))

    def forward(self, x):
        return self.net(x.float() / 255)


online, target = Q().cuda(), Q().cuda()
target.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters(), lr=1e-4)
memory = RingReplay(50_000, (4, 84, 84))

for step in range(300):
    obs = torch.randint(0, 256, (256, 4, 84, 84), dtype=torch.uint8, device="cuda")
    with torch.no_grad():
        action = online(obs).argmax(1)
    memory.push(obs, action, torch.randn(256, device="cuda"))
    o, a, r, n = memory.sample(64)
    with torch.no_grad():
        y = r + 0.99 * target(n).max(1).values
    loss = F.smooth_l1_loss(online(o).gather(1, a[:, None]).squeeze(1), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        target.load_state_dict(online.state_dict())
        print(step, loss.item())
