import torch
import torch.nn as nn
from torch.distributions import Normal

torch.manual_seed(0)
device = "cuda"


class ActorCritic(nn.Module):
    def __init__(self, obs=60, act=12, hidden=512):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(obs, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, act))
        self.critic = nn.Sequential(nn.Linear(obs, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, 1))
        self.log_std = nn.Parameter(torch.zeros(act))

    def forward(self, obs):
        mean = self.actor(obs)
        return Normal(mean, self.log_std.exp().expand_as(mean)), self.critic(obs).squeeze(-1)


envs, steps = 4096, 24
policy = ActorCritic().to(device)
opt = torch.optim.Adam(policy.parameters(), lr=3e-4, eps=1e-5)
for update in range(2):
    store = {k: [] for k in ("obs", "act", "logp", "value", "reward", "done")}
    obs = torch.randn(envs, 60, device=device)
    with torch.no_grad():
        for t in range(steps):
            dist, value = policy(obs)
            action = dist.sample()
            store["obs"].append(obs)
            store["act"].append(action)
            store["logp"].append(dist.log_prob(action).sum(-1))
            store["value"].append(value)
            obs = torch.randn(envs, 60, device=device)
            store["reward"].append(-action.square().mean(-1))
            store["done"].append((torch.rand(envs, device=device) < 0.02).float())
        last = policy(obs)[1]
        data = {k: torch.stack(v) for k, v in store.items()}
        advantage, running = torch.zeros_like(data["reward"]), 0
        for t in reversed(range(steps)):
            following = last if t == steps - 1 else data["value"][t + 1]
            alive = 1 - data["done"][t]
            delta = data["reward"][t] + 0.99 * following * alive - data["value"][t]
            running = delta + 0.99 * 0.95 * alive * running
            advantage[t] = running
        returns = advantage + data["value"]
    flat = {k: v.flatten(0, 1) for k, v in data.items()}
    advantage, returns = advantage.flatten(), returns.flatten()
    for epoch in range(2):
        for index in torch.randperm(envs * steps, device=device).chunk(4):
            dist, value = policy(flat["obs"][index])
            ratio = (dist.log_prob(flat["act"][index]).sum(-1) - flat["logp"][index]).exp()
            adv = advantage[index]
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            gain = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
            loss = -gain + 0.5 * (value - returns[index]).square().mean() - 0.01 * dist.entropy().sum(-1).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            opt.step()
