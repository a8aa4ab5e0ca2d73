# limit: 3.5
import math
import torch
import torch.nn as nn

device = "cuda"
VOCAB, DIM, HEADS, LENGTH, BATCH = 12000, 256, 8, 4096, 4


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(DIM, DIM) for _ in range(3))
        self.o = nn.Linear(DIM, DIM)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], HEADS, -1).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        weight = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weight = weight.softmax(-1)
        return self.o((weight @ v).transpose(1, 2).flatten(2))


class RulingClassifier(nn.Module):
    def __init__(self, depth=2, outcomes=5):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, DIM)
        self.attention = nn.ModuleList(SelfAttention() for _ in range(depth))
        self.norm = nn.ModuleList(nn.LayerNorm(DIM) for _ in range(depth))
        self.out = nn.Linear(DIM, outcomes)

    def forward(self, ids):
        x = self.embed(ids)
        for norm, attention in zip(self.norm, self.attention):
            x = x + attention(norm(x))
        return self.out(x.mean(1))


def documents():
    ids = torch.randint(0, VOCAB, (BATCH, LENGTH), device=device)
    return ids, torch.randint(0, 5, (BATCH,), device=device)


model = RulingClassifier().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
right = 0
for step in range(20):
    ids, outcome = documents()
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits, outcome)
    opt.zero_grad()
    loss.backward()
    opt.step()
    right += (logits.argmax(1) == outcome).sum().item()
    print(step, loss.item(), right / ((step + 1) * BATCH))
