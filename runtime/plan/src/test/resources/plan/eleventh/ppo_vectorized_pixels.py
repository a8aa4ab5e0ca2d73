"""PPO with a pixel encoder on a GPU-resident toy grid world (vectorised, no gym)."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

N_ENV, HORIZON, SIZE, STACK = 128, 32, 64, 3
UPDATES, EPOCHS, MINIBATCHES = 2, 2, 4
GAMMA, LAM, CLIP, ENT, VF = 0.99, 0.95, 0.2, 0.01, 0.5
dev = torch.device("cuda")


class ChaseEnv:
    """Agent (channel 0) is to reach the goal (channel 1). Observations uint8 [N, 3, 64, 64]."""

    def __init__(self, n):
        self.n = n
        self.moves = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0], [0, 0]], device=dev) * 4
        self.t = torch.zeros(n, dtype=torch.long, device=dev)
        self.pos = torch.randint(0, SIZE, (n, 2), device=dev)
        self.goal = torch.randint(0, SIZE, (n, 2), device=dev)

    def obs(self):
        o = torch.zeros(self.n, 3, SIZE, SIZE, dtype=torch.uint8, device=dev)
        r = torch.arange(self.n, device=dev)
        for dy in range(-2, 3):
            for dx in range(-2, 3):
                for c, p in ((0, self.pos), (1, self.goal)):
                    o[r, c, (p[:, 0] + dy).clamp(0, SIZE - 1), (p[:, 1] + dx).clamp(0, SIZE - 1)] = 255
        o[:, 2] = (self.t * 4).clamp(max=255).to(torch.uint8)[:, None, None]
        return o

    def step(self, a):
        before = (self.pos - self.goal).abs().sum(1)
        self.pos = (self.pos + self.moves[a]).clamp(0, SIZE - 1)
        dist = (self.pos - self.goal).abs().sum(1)
        self.t += 1
        done = (dist < 4) | (self.t >= 60)
        reward = 0.1 * (before - dist).float() + (dist < 4).float()
        k = int(done.sum())
        self.pos[done] = torch.randint(0, SIZE, (k, 2), device=dev)
        self.goal[done] = torch.randint(0, SIZE, (k, 2), device=dev)
        self.t[done] = 0
        return self.obs(), reward, done.float()


class ImpalaBlock(nn.Module):
    def __init__(self, ci, co):
        super().__init__()
        self.conv = nn.Conv2d(ci, co, 3, padding=1)
        self.res = nn.ModuleList(nn.Conv2d(co, co, 3, padding=1) for _ in range(4))

    def forward(self, x):
        x = F.max_pool2d(self.conv(x), 3, 2, 1)
        for a, b in zip(self.res[::2], self.res[1::2]):
            x = x + b(F.relu(a(F.relu(x))))
        return x


class ActorCritic(nn.Module):
    def __init__(self, n_act=5):
        super().__init__()
        self.cnn = nn.Sequential(ImpalaBlock(3, 16), ImpalaBlock(16, 32), ImpalaBlock(32, 32), nn.ReLU(), nn.Flatten())
        self.fc = nn.Linear(32 * (SIZE // 8) ** 2, 256)
        self.pi, self.v = nn.Linear(256, n_act), nn.Linear(256, 1)
        nn.init.orthogonal_(self.pi.weight, 0.01)

    def forward(self, o):
        h = F.relu(self.fc(self.cnn(o.float().div(255))))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main():
    torch.manual_seed(5)
    env, net = ChaseEnv(N_ENV), ActorCritic().to(dev)
    opt = torch.optim.Adam(net.parameters(), lr=5e-4, eps=1e-5)
    buf_o = torch.zeros(HORIZON, N_ENV, 3, SIZE, SIZE, dtype=torch.uint8, device=dev)
    buf = {k: torch.zeros(HORIZON, N_ENV, device=dev) for k in ("a", "lp", "r", "d", "v")}
    obs = env.obs()
    for up in range(UPDATES):
        for t in range(HORIZON):
            with torch.no_grad():
                dist, v = net(obs)
                a = dist.sample()
            buf_o[t], buf["a"][t], buf["lp"][t], buf["v"][t] = obs, a.float(), dist.log_prob(a), v
            obs, buf["r"][t], buf["d"][t] = env.step(a)
        with torch.no_grad():
            nxt = net(obs)[1]
        adv, last = torch.zeros_like(buf["r"]), 0.0
        for t in reversed(range(HORIZON)):
            nv = nxt if t == HORIZON - 1 else buf["v"][t + 1]
            delta = buf["r"][t] + GAMMA * nv * (1 - buf["d"][t]) - buf["v"][t]
            last = delta + GAMMA * LAM * (1 - buf["d"][t]) * last
            adv[t] = last
        ret = (adv + buf["v"]).flatten()
        adv, flat_o = adv.flatten(), buf_o.flatten(0, 1)
        act, oldlp = buf["a"].flatten(), buf["lp"].flatten()
        for _ in range(EPOCHS):
            for idx in torch.randperm(HORIZON * N_ENV, device=dev).chunk(MINIBATCHES):
                dist, v = net(flat_o[idx])
                ratio = (dist.log_prob(act[idx]) - oldlp[idx]).exp()
                ad = (adv[idx] - adv[idx].mean()) / (adv[idx].std() + 1e-8)
                pg = -torch.min(ratio * ad, ratio.clamp(1 - CLIP, 1 + CLIP) * ad).mean()
                loss = pg + VF * F.mse_loss(v, ret[idx]) - ENT * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                opt.step()
        print(f"update {up} reward/step {buf['r'].mean().item():.4f} loss {loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
