# limit: 2.0
import random

import torch
import torch.nn as nn

random.seed(2)
torch.manual_seed(2)
device = "cuda"
MAX_TOKENS, MAX_SENTENCES, MAX_LEN = 8192, 64, 1024


class Lm(nn.Module):
    def __init__(self, vocab=1000, d=256):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, d), nn.Embedding(MAX_LEN, d)
        layer = nn.TransformerEncoderLayer(d, 4, 1024, batch_first=True, dropout=0.1)
        self.enc = nn.TransformerEncoder(layer, 4)
        self.out = nn.Linear(d, vocab)

    def forward(self, ids):
        h = self.emb(ids) + self.pos(torch.arange(ids.shape[1], device=ids.device))
        return self.out(self.enc(h))


def step(model, opt, ids):
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    loss.backward()
    opt.step()
    opt.zero_grad()
    return loss.item()


def token_batches(n):
    for _ in range(n):
        length = random.choice([32, 64, 100, 180, 256, 400, 700, 1024])
        bs = min(MAX_SENTENCES, MAX_TOKENS // length)
        yield torch.randint(0, 1000, (bs, length), device=device)


def warm_allocator(model):
    """One pass with the maximal shapes, so that the allocator never has to grow afterwards."""
    dummy = torch.zeros(MAX_SENTENCES, MAX_LEN, dtype=torch.long, device=device)
    model(dummy).sum().backward()
    model.zero_grad()


model = Lm().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
print("sanity check", [round(step(model, opt, b), 3) for b in token_batches(6)])
warm_allocator(model)
for epoch in range(3):
    losses = [step(model, opt, b) for b in token_batches(20)]
    print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
