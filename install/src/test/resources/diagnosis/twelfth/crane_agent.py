# limit: 0.75
"""Off-policy agent for the crane task, replay kept on the GPU."""
import random
from collections import deque

import torch
from torch import nn

CHUNK, OBS, ACT = 8192, 240, 16


class Replay:
    def __init__(self, chunks=50):
        self.store = deque(maxlen=chunks)

    def add(self, chunk):
        self.store.append(chunk)

    def sample(self, bs):
        chunk = random.choice(self.store)
        idx = torch.randint(0, CHUNK, (bs,), device=chunk.device)
        row = chunk[idx]
        return row[:, :OBS], row[:, OBS:]


def collect(policy):
    obs = torch.randn(CHUNK, OBS, device="cuda")
    with torch.no_grad():
        act = policy(obs) + 0.1 * torch.randn(CHUNK, ACT, device="cuda")
    return torch.cat([obs, act], dim=1)


def main():
    torch.manual_seed(0)
    random.seed(0)
    policy = nn.Sequential(nn.Linear(OBS, 256), nn.ReLU(), nn.Linear(256, ACT), nn.Tanh()).to("cuda")
    critic = nn.Sequential(nn.Linear(OBS + ACT, 256), nn.ReLU(), nn.Linear(256, 1)).to("cuda")
    opt = torch.optim.Adam([*policy.parameters(), *critic.parameters()], lr=3e-4)
    replay = Replay()
    for it in range(160):
        replay.add(collect(policy))
        for _ in range(4):
            obs, act = replay.sample(1024)
            value = critic(torch.cat([obs, act], 1)).squeeze(-1)
            reward = -(act.pow(2).sum(-1) - obs[:, 0]).abs()
            loss = (value - reward).pow(2).mean()
            loss = loss - critic(torch.cat([obs, policy(obs)], 1)).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        if it % 20 == 0:
            mib = torch.cuda.memory_allocated() / 2**20
            print(f"it {it} loss {loss.item():.3f} allocated {mib:.0f} MiB")


if __name__ == "__main__":
    main()
