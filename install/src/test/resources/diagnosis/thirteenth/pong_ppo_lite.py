# limit: 1.5
# PPO on a fake pixel environment, cleaned up from my notebook
from collections import deque
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
device = "cuda"
N_ENVS, HORIZON, ITERS = 64, 16, 40


class FakePong:
    """Stands in for the vectorised emulator; frames come out as floats."""

    def __init__(self, n):
        self.n = n
        self.gen = torch.Generator(device=device).manual_seed(0)

    def frames(self, out):
        out.uniform_(generator=self.gen)
        return torch.rand(self.n, device=device, generator=self.gen) - 0.5


class ActorCritic(nn.Module):
    def __init__(self, n_actions=6):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(4, 32, 8, 4), nn.ReLU(),
            nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
            nn.Conv2d(64, 64, 3, 1), nn.ReLU(), nn.Flatten(),
            nn.Linear(64 * 7 * 7, 256), nn.ReLU())
        self.pi = nn.Linear(256, n_actions)
        self.v = nn.Linear(256, 1)

    def forward(self, x):
        h = self.body(x)
        return self.pi(h), self.v(h).squeeze(-1)


class Rollouts:
    def __init__(self, env, net):
        self.env, self.net = env, net
        self.history = deque(maxlen=5)

    @torch.no_grad()
    def collect(self):
        obs = torch.empty(HORIZON, N_ENVS, 4, 84, 84, device=device)
        acts = torch.empty(HORIZON, N_ENVS, dtype=torch.long, device=device)
        rews = torch.empty(HORIZON, N_ENVS, device=device)
        for t in range(HORIZON):
            rews[t] = self.env.frames(obs[t])
            logits, _ = self.net(obs[t])
            acts[t] = torch.distributions.Categorical(logits=logits).sample()
        batch = {"obs": obs.flatten(0, 1), "act": acts.flatten(), "rew": rews.flatten()}
        self.history.append(batch)
        return batch


net = ActorCritic().to(device)
opt = torch.optim.Adam(net.parameters(), lr=2.5e-4)
rollouts = Rollouts(FakePong(N_ENVS), net)

for it in range(ITERS):
    data = rollouts.collect()
    perm = torch.randperm(data["act"].numel(), device=device)
    for idx in perm.split(256):
        logits, value = net(data["obs"][idx])
        adv = data["rew"][idx] - value
        logp = F.log_softmax(logits, -1).gather(1, data["act"][idx, None]).squeeze(1)
        loss = -(logp * adv.detach()).mean() + 0.5 * adv.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    avg = sum(h["rew"].mean().item() for h in rollouts.history) / len(rollouts.history)
    print(f"iter {it:3d} loss {loss.item():.4f} avg reward {avg:.4f}")
