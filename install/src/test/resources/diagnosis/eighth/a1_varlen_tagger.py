# limit: 3
"""Sequence tagging with padded batches of different lengths."""
import random
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

random.seed(1)
torch.manual_seed(1)


class Tagger(nn.Module):
    def __init__(self, vocab=5000, d=128, tags=17):
        super().__init__()
        self.emb = nn.Embedding(vocab, d, padding_idx=0)
        self.lstm = nn.LSTM(d, d, 2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * d, tags)

    def forward(self, ids):
        return self.out(self.lstm(self.emb(ids))[0])


def batches(n, size=32):
    for _ in range(n):
        lens = [random.randint(10, 300) for _ in range(size)]
        x = pad_sequence([torch.randint(1, 5000, (k,)) for k in lens], batch_first=True)
        y = pad_sequence([torch.randint(0, 17, (k,)) for k in lens], batch_first=True, padding_value=-100)
        yield x.to("cuda"), y.to("cuda")


model = Tagger().to("cuda")
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
history = []
for x, y in batches(150):
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten(), ignore_index=-100)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
print(history[0], history[-1])
