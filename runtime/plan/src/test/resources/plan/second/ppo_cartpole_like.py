import torch
import torch.nn as nn
torch.manual_seed(0)
actor = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 12)).cuda()
critic = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 1)).cuda()
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=3e-4, eps=1e-5)
for update in range(2):
    obs, acts, logps, rewards, values = [], [], [], [], []
    state = torch.randn(256, 64, device="cuda")
    with torch.no_grad():
        for t in range(32):
            dist = torch.distributions.Categorical(logits=actor(state))
            a = dist.sample()
            obs.append(state), acts.append(a), logps.append(dist.log_prob(a)), values.append(critic(state).squeeze(-1))
            state = state * 0.9 + torch.randn_like(state) * 0.1
            rewards.append(state.mean(1))
        returns, running = [], torch.zeros(256, device="cuda")
        for r in reversed(rewards):
            running = r + 0.99 * running
            returns.insert(0, running)
    obs, acts, logps = torch.stack(obs).flatten(0, 1), torch.stack(acts).flatten(), torch.stack(logps).flatten()
    returns, values = torch.stack(returns).flatten(), torch.stack(values).flatten()
    adv = returns - values
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for epoch in range(2):
        for idx in torch.randperm(obs.shape[0], device="cuda").split(2048):
            dist = torch.distributions.Categorical(logits=actor(obs[idx]))
            ratio = (dist.log_prob(acts[idx]) - logps[idx]).exp()
            policy = -torch.min(ratio * adv[idx], ratio.clamp(0.8, 1.2) * adv[idx]).mean()
            loss = policy + 0.5 * (critic(obs[idx]).squeeze(-1) - returns[idx]).pow(2).mean() - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
            opt.step()
