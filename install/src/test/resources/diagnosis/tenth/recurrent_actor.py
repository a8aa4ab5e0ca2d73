# limit: 2
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

N_ENVS, OBS, HID, ACTIONS = 512, 256, 1024, 12


class RecurrentPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(OBS, HID)
        self.wi = nn.Linear(HID, 2 * HID)
        self.wh = nn.Linear(HID, 2 * HID)
        self.pi = nn.Linear(HID, ACTIONS)

    def forward(self, obs, h):
        x = F.relu(self.embed(obs))
        z, c = (self.wi(x) + self.wh(h)).chunk(2, dim=-1)
        z = torch.sigmoid(z)
        h = (1 - z) * h + z * torch.tanh(c)
        return self.pi(h), h


class FakeVecEnv:
    def reset(self):
        return torch.randn(N_ENVS, OBS, device="cuda")

    def step(self, actions):
        return torch.randn(N_ENVS, OBS, device="cuda"), torch.rand(N_ENVS, device="cuda")


def play(policy, env, steps):
    obs = env.reset()
    h = torch.zeros(N_ENVS, HID, device="cuda")
    total = torch.zeros(N_ENVS, device="cuda")
    for t in range(steps):
        logits, h = policy(obs, h)
        action = Categorical(logits=logits.detach(), validate_args=False).sample()
        obs, reward = env.step(action)
        total += reward
        if t % 50 == 0:
            print(f"t={t} mean return so far {total.mean().item():.2f}")
    return total


policy = RecurrentPolicy().cuda()
policy.eval()
scores = play(policy, FakeVecEnv(), steps=1000)
print("mean score", scores.mean().item())
