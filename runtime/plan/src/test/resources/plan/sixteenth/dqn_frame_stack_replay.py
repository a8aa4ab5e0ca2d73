"""Double DQN with the Nature CNN; replay memory of uint8 frames kept on the device."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class ReplayMemory:
    def __init__(self, capacity, shape, device):
        self.frames = torch.zeros((capacity, *shape), dtype=torch.uint8, device=device)
        self.actions = torch.zeros(capacity, dtype=torch.long, device=device)
        self.rewards = torch.zeros(capacity, device=device)
        self.dones = torch.zeros(capacity, device=device)
        self.capacity, self.pos, self.full, self.device = capacity, 0, False, device

    def push_many(self, frames, actions, rewards, dones):
        n = len(actions)
        idx = (torch.arange(n, device=self.device) + self.pos) % self.capacity
        self.frames[idx], self.actions[idx] = frames, actions
        self.rewards[idx], self.dones[idx] = rewards, dones
        self.full |= self.pos + n >= self.capacity
        self.pos = (self.pos + n) % self.capacity

    def sample(self, batch, stack=4):
        top = self.capacity if self.full else self.pos
        i = torch.randint(stack, top - 1, (batch,), device=self.device)
        offs = torch.arange(-stack + 1, 1, device=self.device)
        s = self.frames[i[:, None] + offs]
        s2 = self.frames[i[:, None] + offs + 1]
        return s, self.actions[i], self.rewards[i], s2, self.dones[i]


class DuelingQNet(nn.Module):
    def __init__(self, n_actions, width=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(4, width, 8, 4), nn.ReLU(), nn.Conv2d(width, 2 * width, 4, 2), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, 1), nn.ReLU(), nn.Flatten())
        self.value = nn.Sequential(nn.Linear(2 * width * 49, 512), nn.ReLU(), nn.Linear(512, 1))
        self.adv = nn.Sequential(nn.Linear(2 * width * 49, 512), nn.ReLU(), nn.Linear(512, n_actions))

    def forward(self, x):
        h = self.conv(x.float() / 255.0)
        a = self.adv(h)
        return self.value(h) + a - a.mean(1, keepdim=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--capacity", type=int, default=100_000)
    ap.add_argument("--batch-size", type=int, default=512)
    ap.add_argument("--actions", type=int, default=6)
    ap.add_argument("--updates", type=int, default=20)
    ap.add_argument("--target-every", type=int, default=8)
    ap.add_argument("--gamma", type=float, default=0.99)
    ap.add_argument("--tau", type=float, default=1.0)
    args = ap.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    device = torch.device("cuda")
    memory = ReplayMemory(args.capacity, (84, 84), device)
    policy, target = DuelingQNet(args.actions).to(device), DuelingQNet(args.actions).to(device)
    target.load_state_dict(policy.state_dict())
    opt = torch.optim.RMSprop(policy.parameters(), lr=2.5e-4, alpha=0.95, eps=1e-2, centered=True)

    n_envs = 64
    state = torch.randint(0, 256, (n_envs, 4, 84, 84), dtype=torch.uint8, device=device)
    eps = 1.0
    for it in range(args.updates):
        # act
        for _ in range(4):
            with torch.no_grad():
                greedy = policy(state).argmax(1)
            explore = torch.rand(n_envs, device=device) < eps
            act = torch.where(explore, torch.randint(0, args.actions, (n_envs,), device=device), greedy)
            frame = torch.randint(0, 256, (n_envs, 84, 84), dtype=torch.uint8, device=device)
            reward = (act == frame[:, 0, 0].long() % args.actions).float()
            done = (torch.rand(n_envs, device=device) < 0.02).float()
            memory.push_many(frame, act, reward, done)
            state = torch.cat([state[:, 1:], frame[:, None]], 1)
        eps = max(0.05, eps * 0.9)
        # learn
        s, a, r, s2, d = memory.sample(args.batch_size if it > 1 else 32)
        q = policy(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            best = policy(s2).argmax(1, keepdim=True)
            y = r + args.gamma * (1 - d) * target(s2).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(q, y)
        opt.zero_grad()
        loss.backward()
        for p in policy.parameters():
            p.grad.data.clamp_(-1, 1)
        opt.step()
        if (it + 1) % args.target_every == 0:
            with torch.no_grad():
                for tp, pp in zip(target.parameters(), policy.parameters()):
                    tp.lerp_(pp, args.tau)
        if it % 4 == 0:
            print(f"update {it} loss {loss.item():.4f} q {q.mean().item():.3f} eps {eps:.2f} filled {memory.pos}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
