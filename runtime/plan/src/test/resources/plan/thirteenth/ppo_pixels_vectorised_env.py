"""PPO from pixels with a vectorised catch-the-ball game that lives on the GPU (CleanRL flavour, one file)."""
import time

import torch
import torch.nn as nn
from torch.distributions import Categorical

NUM_ENVS = 64
NUM_STEPS = 64
FRAME = 84
STACK = 4
UPDATES = 3
EPOCHS = 2
MINIBATCHES = 4
GAMMA, LAM = 0.99, 0.95
CLIP, ENT, VF = 0.1, 0.01, 0.5


class CatchVec:
    """ball falls, paddle moves left / stay / right; observations are uint8 stacks"""

    def __init__(self, n, device):
        self.n, self.device = n, device
        self.obs = torch.zeros(n, STACK, FRAME, FRAME, dtype=torch.uint8, device=device)
        self.ball = torch.zeros(n, 2, dtype=torch.long, device=device)
        self.pad = torch.full((n,), FRAME // 2, device=device)
        self.respawn(torch.ones(n, dtype=torch.bool, device=device))

    def respawn(self, mask):
        x = torch.randint(4, FRAME - 4, (self.n,), device=self.device)
        self.ball[:, 0] = torch.where(mask, torch.zeros_like(x), self.ball[:, 0])
        self.ball[:, 1] = torch.where(mask, x, self.ball[:, 1])

    def render(self):
        rows = torch.arange(self.n, device=self.device)
        f = torch.zeros(self.n, FRAME, FRAME, dtype=torch.uint8, device=self.device)
        for d in range(-2, 3):
            f[rows, self.ball[:, 0].clamp(max=FRAME - 1), (self.ball[:, 1] + d).clamp(0, FRAME - 1)] = 255
            f[rows, FRAME - 2, (self.pad + d).clamp(0, FRAME - 1)] = 180
        self.obs = torch.cat([self.obs[:, 1:], f.unsqueeze(1)], 1)
        return self.obs

    def step(self, action):
        self.pad = (self.pad + (action - 1) * 3).clamp(3, FRAME - 4)
        self.ball[:, 0] += 3
        done = self.ball[:, 0] >= FRAME - 3
        caught = (self.ball[:, 1] - self.pad).abs() <= 4
        reward = torch.where(done, caught.float() * 2 - 1, torch.zeros(self.n, device=self.device))
        self.respawn(done)
        return self.render(), reward, done.float()


def ortho(layer, std=2**0.5):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            ortho(nn.Conv2d(STACK, 32, 8, 4)), nn.ReLU(), ortho(nn.Conv2d(32, 64, 4, 2)), nn.ReLU(),
            ortho(nn.Conv2d(64, 64, 3, 1)), nn.ReLU(), nn.Flatten(), ortho(nn.Linear(64 * 7 * 7, 512)), nn.ReLU(),
        )
        self.pi, self.v = ortho(nn.Linear(512, 3), 0.01), ortho(nn.Linear(512, 1), 1.0)

    def forward(self, x, action=None):
        h = self.net(x.float() / 255.0)
        dist = Categorical(logits=self.pi(h))
        action = dist.sample() if action is None else action
        return action, dist.log_prob(action), dist.entropy(), self.v(h).squeeze(-1)


def main():
    torch.manual_seed(1)
    device = torch.device("cuda")
    env, agent = CatchVec(NUM_ENVS, device), Agent().to(device)
    opt = torch.optim.Adam(agent.parameters(), lr=2.5e-4, eps=1e-5)
    shape = (NUM_STEPS, NUM_ENVS)
    obs = torch.zeros(*shape, STACK, FRAME, FRAME, dtype=torch.uint8, device=device)
    act, logp, rew, don, val = (torch.zeros(shape, device=device) for _ in range(5))
    cur, cur_done = env.render(), torch.zeros(NUM_ENVS, device=device)
    t0 = time.time()
    for update in range(UPDATES):
        opt.param_groups[0]["lr"] = 2.5e-4 * (1 - update / UPDATES)
        for s in range(NUM_STEPS):
            obs[s], don[s] = cur, cur_done
            with torch.no_grad():
                a, lp, _, v = agent(cur)
            act[s], logp[s], val[s] = a, lp, v
            cur, rew[s], cur_done = env.step(a)
        with torch.no_grad():
            nxt = agent(cur)[3]
            adv, last = torch.zeros_like(rew), 0
            for s in reversed(range(NUM_STEPS)):
                live = 1 - (cur_done if s == NUM_STEPS - 1 else don[s + 1])
                v1 = nxt if s == NUM_STEPS - 1 else val[s + 1]
                delta = rew[s] + GAMMA * v1 * live - val[s]
                last = delta + GAMMA * LAM * live * last
                adv[s] = last
            ret = adv + val
        flat = [t.flatten(0, 1) for t in (obs, act, logp, adv, ret)]
        n = NUM_ENVS * NUM_STEPS
        for _ in range(EPOCHS):
            for idx in torch.randperm(n, device=device).chunk(MINIBATCHES):
                o, a, lp, ad, r = (f[idx] for f in flat)
                _, new_lp, ent, v = agent(o, a.long())
                ratio = (new_lp - lp).exp()
                ad = (ad - ad.mean()) / (ad.std() + 1e-8)
                pg = torch.max(-ad * ratio, -ad * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                loss = pg - ENT * ent.mean() + VF * 0.5 * (v - r).square().mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                opt.step()
        print(f"update {update} loss {loss.item():.4f} reward {rew.sum().item() / max(1, don.sum().item()):.3f} "
              f"sps {n * (update + 1) / (time.time() - t0):.0f}")
    print("peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
