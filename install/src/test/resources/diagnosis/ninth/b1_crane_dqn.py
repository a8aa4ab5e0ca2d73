# limit: 3
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
CAPACITY, ACTIONS, GAMMA = 40_000, 5, 0.98


class Replay:
    def __init__(self):
        self.frames = torch.zeros(CAPACITY, 2, 84, 84, dtype=torch.uint8, device=device)
        self.actions = torch.zeros(CAPACITY, dtype=torch.long, device=device)
        self.rewards = torch.zeros(CAPACITY, device=device)
        self.count = 0

    def add(self, frame, action, reward):
        n = frame.shape[0]
        rows = torch.arange(self.count, self.count + n, device=device) % CAPACITY
        self.frames[rows], self.actions[rows], self.rewards[rows] = frame, action, reward
        self.count += n

    def sample(self, n=256):
        rows = torch.randint(0, min(self.count, CAPACITY) - 1, (n,), device=device)
        return self.frames[rows], self.actions[rows], self.rewards[rows], self.frames[rows + 1]


def q_network():
    return nn.Sequential(
        nn.Conv2d(2, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
        nn.Flatten(), nn.Linear(64 * 81, 256), nn.ReLU(), nn.Linear(256, ACTIONS))


def learn(online, target, opt, replay):
    frame, action, reward, after = replay.sample()
    with torch.no_grad():
        goal = reward + GAMMA * target(after.float() / 255).amax(1)
    value = online(frame.float() / 255).gather(1, action[:, None]).squeeze(1)
    loss = F.smooth_l1_loss(value, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


online, target = q_network().to(device), q_network().to(device)
target.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters(), lr=1e-4)
replay, losses = Replay(), []
for step in range(300):
    frame = torch.randint(0, 256, (200, 2, 84, 84), dtype=torch.uint8, device=device)
    action = torch.randint(0, ACTIONS, (200,), device=device)
    replay.add(frame, action, torch.randn(200, device=device))
    losses.append(learn(online, target, opt, replay))
    if step % 50 == 0:
        target.load_state_dict(online.state_dict())
        print(step, replay.count, sum(losses[-50:]) / len(losses[-50:]))
