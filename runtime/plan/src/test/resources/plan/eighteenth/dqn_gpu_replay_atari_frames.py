"""Rainbow-lite DQN (double, dueling, n-step) with the uint8 frame replay buffer held on the GPU."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class ReplayOnGpu:
    def __init__(self, capacity, device, n_step=3, gamma=0.99):
        self.frames = torch.zeros(capacity, 84, 84, dtype=torch.uint8, device=device)
        self.actions = torch.zeros(capacity, dtype=torch.int64, device=device)
        self.rewards = torch.zeros(capacity, device=device)
        self.dones = torch.zeros(capacity, dtype=torch.bool, device=device)
        self.prio = torch.zeros(capacity, device=device)
        self.capacity, self.n, self.gamma = capacity, n_step, gamma
        self.head = self.size = 0
        self.device = device

    def add_many(self, frames, actions, rewards, dones):
        k = len(actions)
        idx = (self.head + torch.arange(k, device=self.device)) % self.capacity
        self.frames[idx] = frames
        self.actions[idx], self.rewards[idx], self.dones[idx] = actions, rewards, dones
        self.prio[idx] = self.prio.max().clamp(min=1.0)
        self.head = (self.head + k) % self.capacity
        self.size = min(self.capacity, self.size + k)

    def stack4(self, idx):
        offs = torch.arange(-3, 1, device=self.device)
        return self.frames[(idx[:, None] + offs).clamp(0, self.size - 1)]

    def sample(self, batch, beta):
        p = self.prio[:self.size].clone()
        p[:4] = 0
        p[self.size - self.n - 1:] = 0
        idx = torch.multinomial(p ** 0.6 + 1e-12, batch, replacement=True)
        w = (self.size * (p[idx] ** 0.6) / (p ** 0.6).sum()).clamp(min=1e-6) ** -beta
        ret = torch.zeros(batch, device=self.device)
        alive = torch.ones(batch, device=self.device)
        for k in range(self.n):
            ret += alive * self.gamma ** k * self.rewards[(idx + k).clamp(max=self.size - 1)]
            alive = alive * (~self.dones[(idx + k).clamp(max=self.size - 1)]).float()
        nxt = (idx + self.n).clamp(max=self.size - 1)
        return idx, self.stack4(idx), self.actions[idx], ret, self.stack4(nxt), alive, w / w.max()


class Dueling(nn.Module):
    def __init__(self, actions):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
            nn.Conv2d(64, 64, 3, 1), nn.ReLU(), nn.Flatten())
        self.adv = nn.Sequential(nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, actions))
        self.val = nn.Sequential(nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 1))

    def forward(self, x):
        h = self.features(x.float().div_(255))
        a = self.adv(h)
        return self.val(h) + a - a.mean(1, keepdim=True)


def fake_experience(n, actions, device):
    base = torch.randint(0, 255, (n, 21, 21), dtype=torch.uint8, device=device)
    frames = base.repeat_interleave(4, 1).repeat_interleave(4, 2)
    act = torch.randint(0, actions, (n,), device=device)
    rew = torch.randint(-1, 2, (n,), device=device).float()
    return frames, act, rew, torch.rand(n, device=device) < 0.01


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--capacity", type=int, default=150_000)
    ap.add_argument("--chunk", type=int, default=25_000)
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--updates", type=int, default=8)
    ap.add_argument("--actions", type=int, default=6)
    a = ap.parse_args()
    torch.manual_seed(6)
    device = torch.device("cuda")

    buf = ReplayOnGpu(a.capacity, device)
    for _ in range(max(1, a.capacity // a.chunk)):
        buf.add_many(*fake_experience(a.chunk, a.actions, device))
    print(f"buffer holds {buf.size} frames, {buf.frames.numel() / 2**20:.0f} MiB")

    online, target = Dueling(a.actions).to(device), Dueling(a.actions).to(device)
    target.load_state_dict(online.state_dict())
    target.requires_grad_(False)
    opt = torch.optim.Adam(online.parameters(), lr=6.25e-5, eps=1.5e-4)
    for u in range(a.updates):
        idx, s, act, ret, s2, alive, w = buf.sample(a.batch, beta=0.4 + 0.6 * u / a.updates)
        q = online(s).gather(1, act[:, None]).squeeze(1)
        with torch.no_grad():
            best = online(s2).argmax(1, keepdim=True)
            y = ret + 0.99 ** buf.n * alive * target(s2).gather(1, best).squeeze(1)
        td = q - y
        loss = (w * F.smooth_l1_loss(q, y, reduction="none")).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(online.parameters(), 10)
        opt.step()
        buf.prio[idx] = td.detach().abs() + 1e-3
        for tp, op in zip(target.parameters(), online.parameters()):
            tp.lerp_(op, 0.005)
        if u % 2 == 0:
            print(f"update {u} loss {loss.item():.4f} mean q {q.mean().item():.3f}")
    print("peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
