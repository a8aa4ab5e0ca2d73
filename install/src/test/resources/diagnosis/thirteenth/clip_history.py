# limit: 1.25
"""Online action detection: a temporal head looks at the features of the last clips."""
from collections import deque

import torch
import torch.nn as nn

torch.manual_seed(4)
device = torch.device("cuda")


class ClipEncoder(nn.Module):
    def __init__(self, ch=64):
        super().__init__()
        self.c1 = nn.Conv3d(3, ch // 2, 3, stride=(1, 2, 2), padding=1)
        self.c2 = nn.Conv3d(ch // 2, ch, 3, stride=(1, 2, 2), padding=1)

    def forward(self, x):
        return torch.relu(self.c2(torch.relu(self.c1(x))))


class TemporalHead(nn.Module):
    def __init__(self, ch=64, actions=30):
        super().__init__()
        self.gru = nn.GRU(ch, 128, batch_first=True)
        self.out = nn.Linear(128, actions)

    def forward(self, seq):
        h, _ = self.gru(seq)
        return self.out(h[:, -1])


class OnlineDetector:
    def __init__(self, context=12):
        self.enc, self.head = ClipEncoder().to(device), TemporalHead().to(device)
        self.memory = deque(maxlen=context)
        self.opt = torch.optim.Adam([*self.enc.parameters(), *self.head.parameters()], 1e-4)

    def step(self, clip, label):
        feat = self.enc(clip)
        past = [m.mean((2, 3, 4)) for m in self.memory]
        seq = torch.stack(past + [feat.mean((2, 3, 4))], 1)
        loss = nn.functional.cross_entropy(self.head(seq), label)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.memory.append(feat.detach())
        return loss.item()


def video(n_clips, bs=4):
    for _ in range(n_clips):
        yield torch.rand(bs, 3, 16, 112, 112, device=device), torch.randint(0, 30, (bs,), device=device)


det = OnlineDetector()
for v in range(4):
    losses = [det.step(c, y) for c, y in video(40)]
    print(f"video {v}: {sum(losses) / len(losses):.3f}, memory {len(det.memory)}",
          f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB", flush=True)
