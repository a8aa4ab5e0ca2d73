# limit: 2.0
"""Pretrain a tiny GPT-2 with a growing context."""
from dataclasses import dataclass

import torch
from transformers import GPT2Config, GPT2LMHeadModel


@dataclass
class Stage:
    context: int
    steps: int


STAGES = [Stage(32, 6), Stage(64, 6), Stage(256, 6)]
BATCH = 16
VOCAB = 50257


def tokens(stage, gen):
    return torch.randint(0, VOCAB, (BATCH, stage.context), generator=gen)


class Pretrainer:
    def __init__(self):
        torch.manual_seed(123)
        cfg = GPT2Config(vocab_size=VOCAB, n_positions=512, n_embd=256, n_layer=4, n_head=4)
        self.model = GPT2LMHeadModel(cfg).to("cuda").train()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=6e-4)
        self.gen = torch.Generator().manual_seed(0)
        self.log = []

    def step(self, stage):
        ids = tokens(stage, self.gen).to("cuda")
        loss = self.model(input_ids=ids, labels=ids).loss
        loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        return float(loss)

    def run(self):
        for stage in STAGES:
            for s in range(stage.steps):
                self.log.append(self.step(stage))
            print(f"context {stage.context}: loss {self.log[-1]:.3f}")


if __name__ == "__main__":
    Pretrainer().run()
