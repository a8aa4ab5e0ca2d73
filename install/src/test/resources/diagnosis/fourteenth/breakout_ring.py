# limit: 1.25
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class RingBuffer:
    """uint8 frames on the GPU, allocated at once; the oldest transitions are overwritten."""

    def __init__(self, capacity, shape=(4, 84, 84)):
        self.s = torch.zeros((capacity, *shape), dtype=torch.uint8, device="cuda")
        self.a = torch.zeros(capacity, dtype=torch.long, device="cuda")
        self.r = torch.zeros(capacity, device="cuda")
        self.capacity, self.pos, self.full = capacity, 0, False

    def push(self, s, a, r):
        idx = (self.pos + torch.arange(len(s), device="cuda")) % self.capacity
        self.s[idx], self.a[idx], self.r[idx] = s, a, r
        self.full |= self.pos + len(s) >= self.capacity
        self.pos = (self.pos + len(s)) % self.capacity

    def __len__(self):
        return self.capacity if self.full else self.pos

    def sample(self, n):
        i = torch.randint(0, len(self) - 1, (n,), device="cuda")
        return self.s[i].float() / 255, self.a[i], self.r[i], self.s[i + 1].float() / 255


def qnet():
    return nn.Sequential(nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
                         nn.Conv2d(64, 64, 3, 1), nn.ReLU(), nn.Flatten(),
                         nn.Linear(3136, 512), nn.ReLU(), nn.Linear(512, 4)).cuda()


def main():
    buf = RingBuffer(32_000)
    q, tq = qnet(), qnet()
    tq.load_state_dict(q.state_dict())
    opt = torch.optim.Adam(q.parameters(), lr=1e-4)
    rewards = []
    for t in range(400):
        s = torch.randint(0, 256, (128, 4, 84, 84), dtype=torch.uint8, device="cuda")
        with torch.no_grad():
            a = q(s.float() / 255).argmax(1)
        r = torch.randn(128, device="cuda")
        buf.push(s, a, r)
        rewards.append(r.mean())
        if t >= 4:
            bs, ba, br, bn = buf.sample(128)
            with torch.no_grad():
                y = br + 0.99 * tq(bn).amax(1)
            loss = F.smooth_l1_loss(q(bs).gather(1, ba[:, None])[:, 0], y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if t % 100 == 99:
            tq.load_state_dict(q.state_dict())
            print(f"t {t} buffer {len(buf)} reward {torch.stack(rewards[-100:]).mean().item():.3f}")


main()
