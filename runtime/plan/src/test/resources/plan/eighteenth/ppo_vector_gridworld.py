# PPO, everything (environment included) lives on the GPU.
# 512 parallel "collect the coins" grid worlds, CNN policy, GAE, clipped objective, entropy bonus.
import torch
import torch.nn as nn
from torch.distributions import Categorical

N_ENVS, HORIZON, GRID = 512, 32, 16
EPOCHS, MINIBATCHES = 2, 8
GAMMA, LAM, CLIP = 0.99, 0.95, 0.2
UPDATES = 3
dev = torch.device("cuda")


class CoinGrid:
    """Vectorised: agent plane, coin plane, wall plane."""

    def __init__(self):
        self.walls = (torch.rand(N_ENVS, GRID, GRID, device=dev) < 0.15)
        self.walls[:, 0, 0] = False
        self.pos = torch.zeros(N_ENVS, 2, dtype=torch.long, device=dev)
        self.coins = torch.zeros(N_ENVS, GRID, GRID, dtype=torch.bool, device=dev)
        self.t = torch.zeros(N_ENVS, dtype=torch.long, device=dev)
        self.rows = torch.arange(N_ENVS, device=dev)
        self.moves = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0], [0, 0]], device=dev)
        self.reset(torch.ones(N_ENVS, dtype=torch.bool, device=dev))

    def reset(self, mask):
        fresh = (torch.rand(N_ENVS, GRID, GRID, device=dev) < 0.1) & ~self.walls
        self.coins = torch.where(mask[:, None, None], fresh, self.coins)
        self.pos[mask] = 0
        self.t[mask] = 0

    def obs(self):
        agent = torch.zeros(N_ENVS, GRID, GRID, device=dev)
        agent[self.rows, self.pos[:, 0], self.pos[:, 1]] = 1
        return torch.stack([agent, self.coins.float(), self.walls.float()], 1)

    def step(self, a):
        new = (self.pos + self.moves[a]).clamp(0, GRID - 1)
        blocked = self.walls[self.rows, new[:, 0], new[:, 1]]
        self.pos = torch.where(blocked[:, None], self.pos, new)
        r, c = self.pos.T
        reward = self.coins[self.rows, r, c].float() - 0.01
        self.coins[self.rows, r, c] = False
        self.t += 1
        done = (self.t >= 100) | ~self.coins.flatten(1).any(1)
        self.reset(done)
        return self.obs(), reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(),
            nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
            nn.Conv2d(64, 64, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(64 * (GRID // 2) ** 2, 512), nn.ReLU())
        self.pi = nn.Linear(512, 5)
        self.v = nn.Linear(512, 1)
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.Conv2d)):
                nn.init.orthogonal_(m.weight, 2 ** 0.5)
                nn.init.zeros_(m.bias)
        nn.init.orthogonal_(self.pi.weight, 0.01)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


@torch.no_grad()
def rollout(env, net, obs):
    buf = {k: [] for k in ("obs", "act", "logp", "val", "rew", "done")}
    for _ in range(HORIZON):
        dist, val = net(obs)
        act = dist.sample()
        nxt, rew, done = env.step(act)
        for k, x in zip(buf, (obs, act, dist.log_prob(act), val, rew, done)):
            buf[k].append(x)
        obs = nxt
    last = net(obs)[1]
    buf = {k: torch.stack(v) for k, v in buf.items()}
    adv, gae = torch.zeros_like(buf["rew"]), 0
    for t in reversed(range(HORIZON)):
        nv = last if t == HORIZON - 1 else buf["val"][t + 1]
        alive = 1 - buf["done"][t]
        delta = buf["rew"][t] + GAMMA * nv * alive - buf["val"][t]
        gae = delta + GAMMA * LAM * alive * gae
        adv[t] = gae
    buf["adv"], buf["ret"] = adv, adv + buf["val"]
    return {k: v.flatten(0, 1) for k, v in buf.items()}, obs


def main():
    torch.manual_seed(4)
    env, net = CoinGrid(), ActorCritic().to(dev)
    opt = torch.optim.Adam(net.parameters(), lr=2.5e-4, eps=1e-5)
    obs = env.obs()
    for u in range(UPDATES):
        for g in opt.param_groups:
            g["lr"] = 2.5e-4 * (1 - u / UPDATES)
        data, obs = rollout(env, net, obs)
        n = data["act"].numel()
        for _ in range(EPOCHS):
            for idx in torch.randperm(n, device=dev).chunk(MINIBATCHES):
                mb = {k: v[idx] for k, v in data.items()}
                dist, val = net(mb["obs"])
                ratio = (dist.log_prob(mb["act"]) - mb["logp"]).exp()
                adv = (mb["adv"] - mb["adv"].mean()) / (mb["adv"].std() + 1e-8)
                pg = -torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
                vl = (val - mb["ret"]).pow(2).mean()
                loss = pg + 0.5 * vl - 0.01 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
        print(f"update {u} mean reward {data['rew'].mean().item():.4f} pg {pg.item():.4f} v {vl.item():.4f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
