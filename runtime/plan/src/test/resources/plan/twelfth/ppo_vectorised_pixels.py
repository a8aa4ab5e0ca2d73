"""PPO on a batch of GPU-side toy pixel environments: rollout buffer on device, GAE, minibatch epochs (CleanRL-ish)."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

N_ENVS = 128
ROLLOUT = 48
EPOCHS = 2
MINIBATCHES = 4
UPDATES = 2
GAMMA, LAM, CLIP, VF, ENT = 0.99, 0.95, 0.1, 0.5, 0.01
SIZE = 84
device = torch.device("cuda")


class PixelChase:
    """An agent pixel must reach a goal pixel; 4 stacked frames, 5 actions."""

    def __init__(self, n):
        self.n = n
        self.delta = torch.tensor([[0, 0], [2, 0], [-2, 0], [0, 2], [0, -2]], device=device)
        self.frames = torch.zeros(n, 4, SIZE, SIZE, dtype=torch.uint8, device=device)
        self.reset_all()

    def reset_all(self):
        self.agent = torch.randint(0, SIZE, (self.n, 2), device=device)
        self.goal = torch.randint(0, SIZE, (self.n, 2), device=device)
        self.t = torch.zeros(self.n, dtype=torch.long, device=device)
        self._draw()

    def _draw(self):
        f = torch.zeros(self.n, SIZE, SIZE, dtype=torch.uint8, device=device)
        i = torch.arange(self.n, device=device)
        f[i, self.agent[:, 0], self.agent[:, 1]] = 255
        f[i, self.goal[:, 0], self.goal[:, 1]] = 128
        self.frames = torch.cat([self.frames[:, 1:], f[:, None]], 1)

    def step(self, a):
        before = (self.agent - self.goal).abs().sum(1)
        self.agent = (self.agent + self.delta[a]).clamp(0, SIZE - 1)
        after = (self.agent - self.goal).abs().sum(1)
        self.t += 1
        done = (after < 3) | (self.t > 40)
        rew = (before - after).float() * 0.1 + (after < 3).float()
        self.agent = torch.where(done[:, None], torch.randint(0, SIZE, (self.n, 2), device=device), self.agent)
        self.t = torch.where(done, 0, self.t)
        self._draw()
        return self.frames, rew, done.float()


def ortho(m, std=2**0.5):
    nn.init.orthogonal_(m.weight, std)
    nn.init.zeros_(m.bias)
    return m


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(ortho(nn.Conv2d(4, 32, 8, 4)), nn.ReLU(), ortho(nn.Conv2d(32, 64, 4, 2)), nn.ReLU(),
                                   ortho(nn.Conv2d(64, 64, 3, 1)), nn.ReLU(), nn.Flatten(),
                                   ortho(nn.Linear(64 * 49, 512)), nn.ReLU())
        self.pi, self.v = ortho(nn.Linear(512, 5), 0.01), ortho(nn.Linear(512, 1), 1.0)

    def forward(self, x):
        h = self.trunk(x.float() / 255)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main():
    torch.manual_seed(1)
    env, agent = PixelChase(N_ENVS), Agent().to(device)
    opt = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    obs_buf = torch.zeros(ROLLOUT, N_ENVS, 4, SIZE, SIZE, dtype=torch.uint8, device=device)
    act, logp, rew, done, val = (torch.zeros(ROLLOUT, N_ENVS, device=device) for _ in range(5))
    obs, d = env.frames, torch.zeros(N_ENVS, device=device)
    for upd in range(UPDATES):
        opt.param_groups[0]["lr"] = 2.5e-4 * (1 - upd / UPDATES)
        for t in range(ROLLOUT):
            obs_buf[t], done[t] = obs, d
            with torch.no_grad():
                dist, val[t] = agent(obs)
            a = dist.sample()
            act[t], logp[t] = a, dist.log_prob(a)
            obs, rew[t], d = env.step(a)
        with torch.no_grad():
            nxt = agent(obs)[1]
        adv, last = torch.zeros_like(rew), 0
        for t in reversed(range(ROLLOUT)):
            nd = 1 - (d if t == ROLLOUT - 1 else done[t + 1])
            nv = nxt if t == ROLLOUT - 1 else val[t + 1]
            last = rew[t] + GAMMA * nv * nd - val[t] + GAMMA * LAM * nd * last
            adv[t] = last
        ret = adv + val
        b_obs, b_act, b_lp, b_adv, b_ret = obs_buf.flatten(0, 1), *(x.flatten() for x in (act, logp, adv, ret))
        n = len(b_act)
        for _ in range(EPOCHS):
            for idx in torch.randperm(n, device=device).chunk(MINIBATCHES):
                dist, v = agent(b_obs[idx])
                ratio = (dist.log_prob(b_act[idx]) - b_lp[idx]).exp()
                a_ = (b_adv[idx] - b_adv[idx].mean()) / (b_adv[idx].std() + 1e-8)
                pg = torch.max(-a_ * ratio, -a_ * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                loss = pg + VF * (v - b_ret[idx]).pow(2).mean() - ENT * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                opt.step()
        print(f"update {upd} reward {rew.mean().item():.4f} loss {loss.item():.4f}")
    print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
