"""PPO with thousands of pendulum environments simulated on the GPU, LSTM-free actor-critic, GAE."""
import math
import time
import torch
import torch.nn as nn
from torch.distributions import Normal

NUM_ENVS = 8192
HORIZON = 64
UPDATES = 3
EPOCHS = 2
MINIBATCHES = 4
WIDTH = 512
FRAME_STACK = 8
CLIP, GAMMA, LAM, VF, ENT = 0.2, 0.99, 0.95, 0.5, 0.001
TARGET_KL = 0.05
device = "cuda"


class PendulumBatch:
    """theta, thetadot; observations stacked over the last FRAME_STACK frames"""

    def __init__(self, n):
        self.n = n
        self.state = torch.zeros(n, 2, device=device)
        self.frames = torch.zeros(n, FRAME_STACK, 3, device=device)
        self.t = torch.zeros(n, dtype=torch.long, device=device)
        self.reset(torch.ones(n, dtype=torch.bool, device=device))

    def reset(self, mask):
        fresh = torch.stack(
            [(torch.rand(self.n, device=device) * 2 - 1) * math.pi, torch.rand(self.n, device=device) * 2 - 1], 1)
        self.state = torch.where(mask[:, None], fresh, self.state)
        self.frames = torch.where(mask[:, None, None], torch.zeros_like(self.frames), self.frames)
        self.t = torch.where(mask, torch.randint_like(self.t, 0, 50), self.t)
        self.push()

    def push(self):
        th, td = self.state.unbind(1)
        obs = torch.stack([th.cos(), th.sin(), td / 8], 1)
        self.frames = torch.cat([self.frames[:, 1:], obs[:, None]], 1)

    def obs(self):
        return self.frames.flatten(1)

    def step(self, u):
        u = u.squeeze(1).clamp(-2, 2)
        th, td = self.state.unbind(1)
        norm = torch.remainder(th + math.pi, 2 * math.pi) - math.pi
        reward = -(norm**2 + 0.1 * td**2 + 0.001 * u**2)
        td = (td + (15 * th.sin() + 3 * u) * 0.05).clamp(-8, 8)
        self.state = torch.stack([th + td * 0.05, td], 1)
        self.t = self.t + 1
        self.push()
        done = self.t >= 200
        self.reset(done)
        return self.obs(), reward, done


def layer(i, o, gain=math.sqrt(2)):
    l = nn.Linear(i, o)
    nn.init.orthogonal_(l.weight, gain)
    nn.init.zeros_(l.bias)
    return l


class Agent(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.pi = nn.Sequential(layer(obs, WIDTH), nn.ELU(), layer(WIDTH, WIDTH), nn.ELU(), layer(WIDTH, act, 0.01))
        self.v = nn.Sequential(layer(obs, WIDTH), nn.ELU(), layer(WIDTH, WIDTH), nn.ELU(), layer(WIDTH, 1, 1.0))
        self.log_std = nn.Parameter(torch.zeros(act))

    def dist(self, o):
        return Normal(self.pi(o), self.log_std.exp())


torch.manual_seed(7)
env = PendulumBatch(NUM_ENVS)
obs_dim = env.obs().shape[1]
agent = Agent(obs_dim, 1).to(device)
opt = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
buf = {
    "obs": torch.zeros(HORIZON, NUM_ENVS, obs_dim, device=device),
    "act": torch.zeros(HORIZON, NUM_ENVS, 1, device=device),
    **{k: torch.zeros(HORIZON, NUM_ENVS, device=device) for k in ("logp", "rew", "done", "val")},
}
obs = env.obs()
for upd in range(UPDATES):
    t0 = time.time()
    opt.param_groups[0]["lr"] = 3e-4 * (1 - upd / UPDATES)
    with torch.no_grad():
        for t in range(HORIZON):
            d = agent.dist(obs)
            a = d.sample()
            buf["obs"][t], buf["act"][t] = obs, a
            buf["logp"][t], buf["val"][t] = d.log_prob(a).sum(-1), agent.v(obs).squeeze(-1)
            obs, r, done = env.step(a)
            buf["rew"][t], buf["done"][t] = 0.1 * r, done.float()
        nxt, gae = agent.v(obs).squeeze(-1), 0.0
        adv = torch.zeros_like(buf["rew"])
        for t in reversed(range(HORIZON)):
            live = 1 - buf["done"][t]
            gae = buf["rew"][t] + GAMMA * nxt * live - buf["val"][t] + GAMMA * LAM * live * gae
            adv[t], nxt = gae, buf["val"][t]
        ret = adv + buf["val"]
    flat = {k: v.flatten(0, 1) for k, v in buf.items()} | {"adv": adv.flatten(), "ret": ret.flatten()}
    n, stop = NUM_ENVS * HORIZON, False
    for ep in range(EPOCHS):
        for mb in torch.randperm(n, device=device).chunk(MINIBATCHES):
            d = agent.dist(flat["obs"][mb])
            ratio = (d.log_prob(flat["act"][mb]).sum(-1) - flat["logp"][mb]).exp()
            A = flat["adv"][mb]
            A = (A - A.mean()) / (A.std() + 1e-8)
            pg = torch.max(-A * ratio, -A * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            vl = 0.5 * (agent.v(flat["obs"][mb]).squeeze(-1) - flat["ret"][mb]).square().mean()
            loss = pg + VF * vl - ENT * d.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            opt.step()
            kl = ((ratio - 1) - ratio.log()).mean().item()
            stop |= kl > TARGET_KL
        if stop:
            break
    print(f"update {upd} reward {buf['rew'].mean().item():.4f} vloss {vl.item():.4f} kl {kl:.4f} "
          f"{n / (time.time() - t0):.0f} fps, {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
