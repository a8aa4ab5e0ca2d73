# limit: 2.5
"""Phone-level language model over utterances of very different length."""
import math

import numpy as np
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(12)
rng = np.random.default_rng(12)


class LengthSampler:
    """Log-normal utterance lengths; batch size so that tokens stay under a budget."""

    def __init__(self, budget=4000, longest=700):
        self.budget, self.longest = budget, longest

    def __call__(self):
        n = int(np.clip(rng.lognormal(5.0, 0.6), 16, self.longest))
        return max(1, min(64, self.budget // n)), n


class LMTrainer:
    def __init__(self, vocab=200):
        cfg = GPT2Config(
            vocab_size=vocab, n_embd=320, n_layer=6, n_head=5, n_positions=1024,
            bos_token_id=0, eos_token_id=0)
        self.model = GPT2LMHeadModel(cfg).cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=3e-4)
        self.vocab, self.shapes = vocab, set()

    def step(self, b, n):
        ids = torch.randint(0, self.vocab, (b, n), device="cuda")
        loss = self.model(input_ids=ids, labels=ids).loss
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.shapes.add((b, n))
        return loss.item()

    @torch.no_grad()
    def perplexity(self, sampler, n=10):
        self.model.eval()
        v = []
        for _ in range(n):
            ids = torch.randint(0, self.vocab, sampler(), device="cuda")
            v.append(self.model(input_ids=ids, labels=ids).loss.item())
        self.model.train()
        return math.exp(sum(v) / len(v))


trainer, sampler = LMTrainer(), LengthSampler()
for epoch in range(4):
    for _ in range(60):
        loss = trainer.step(*sampler())
    print(f"epoch {epoch} loss {loss:.3f} ppl {trainer.perplexity(sampler):.1f}", len(trainer.shapes), "shapes",
          f"reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB", flush=True)
