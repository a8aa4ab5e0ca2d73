# limit: 1.3
# Off-policy learner, whole episodes stay on the GPU in a ring of 8
import random
from collections import deque
import torch
import torch.nn as nn

dev = "cuda"
ENVS, OBS, ACT = 256, 1024, 32
rng = random.Random(5)
torch.manual_seed(0)


class EpisodeRing:
    def __init__(self, capacity):
        self.data = deque()
        self.capacity = capacity

    def add(self, ep):
        self.data.append(ep)

    def make_room(self):
        while len(self.data) >= self.capacity:
            self.data.popleft()

    def windows(self, n, length=8):
        for _ in range(n):
            ep = rng.choice(self.data)
            t = rng.randrange(0, len(ep) - length)
            yield ep[t:t + length]


def play(length):
    """returns (length, envs, obs), every row is 1 MiB"""
    ep = torch.empty(length, ENVS, OBS, device=dev)
    ep[0].normal_()
    for t in range(1, length):
        ep[t].normal_().mul_(0.1).add_(ep[t - 1], alpha=0.99)
    return ep


def learn(ring, policy, opt):
    for w in ring.windows(2):
        logits = policy(w)
        loss = -torch.log_softmax(logits, -1).amax(-1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


policy = nn.Linear(OBS, ACT).to(dev)
opt = torch.optim.SGD(policy.parameters(), lr=1e-3)
ring = EpisodeRing(8)
lengths = []

for episode in range(400):
    length = rng.randint(30, 180)
    lengths.append(length)
    ring.make_room()
    ring.add(play(length))
    loss = learn(ring, policy, opt)
    if episode % 20 == 0:
        a = torch.cuda.memory_allocated() / 2**20
        r = torch.cuda.memory_reserved() / 2**20
        print(f"ep {episode} len {length} loss {loss:.3f} mem {a:.0f}/{r:.0f} MiB")

print("mean length", sum(lengths) / len(lengths))
