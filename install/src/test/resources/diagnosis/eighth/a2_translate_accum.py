# limit: 6
# "I accumulate 16 micro-batches and append every loss to a list. Should I worry?"
from contextlib import contextmanager

import torch
import torch.nn as nn

torch.manual_seed(33)


@contextmanager
def peak(label):
    torch.cuda.reset_peak_memory_stats()
    yield
    print(label, "peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


class Translator(nn.Module):
    def __init__(self, vocab=8000, dim=256):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.net = nn.Transformer(dim, 4, 2, 2, 4 * dim, batch_first=True, dropout=0.0)
        self.out = nn.Linear(dim, vocab)

    def forward(self, src, tgt):
        return self.out(self.net(self.emb(src), self.emb(tgt)))


def micro_batches(n, size=16, length=64):
    for _ in range(n):
        yield torch.randint(0, 8000, (size, length), device="cuda"), torch.randint(0, 8000, (size, length + 1), device="cuda")


def big_step(model, opt, accumulate, kept):
    opt.zero_grad(set_to_none=True)
    for src, tgt in micro_batches(accumulate):
        logits = model(src, tgt[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten()) / accumulate
        loss.backward()
        kept.append(loss.detach())
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()


model = Translator().to("cuda")
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
kept = []
for step in range(6):
    with peak(f"step {step}"):
        big_step(model, opt, 16, kept)
print("mean loss", 16 * torch.stack(kept).mean().item())
