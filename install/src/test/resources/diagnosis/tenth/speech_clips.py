# limit: 2.2
"""Loads clips of all lengths, drops the noisy ones, trains a frame tagger on padded batches."""
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

random.seed(5)
MELS = 2048


class Clips:
    def __init__(self, n):
        self.clips = [torch.randn(random.randint(400, 1100), MELS, device="cuda") for _ in range(n)]

    def quality(self, i):
        return (i * 7919) % 3

    def clean(self):
        self.clips = [c for i, c in enumerate(self.clips) if self.quality(i) == 0]
        return self

    def batch(self, n):
        return pad_sequence(random.sample(self.clips, n), batch_first=True)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(MELS, 1024), nn.Linear(1024, 1024), nn.Linear(1024, 30)

    def forward(self, x):
        return self.c(torch.relu(self.b(torch.relu(self.a(x)))))


data = Clips(320)
print("loaded", len(data.clips), f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")
data.clean()
print("kept", len(data.clips), f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")

model = Tagger().cuda()
opt = torch.optim.Adam(model.parameters())
for step in range(100):
    x = data.batch(24)
    loss = model(x).logsumexp(-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
