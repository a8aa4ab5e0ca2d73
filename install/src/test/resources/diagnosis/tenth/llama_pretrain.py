# limit: 4
import math
from dataclasses import dataclass

import torch
from transformers import LlamaConfig, LlamaForCausalLM


@dataclass
class Args:
    batch_size: int = 16
    seq_len: int = 1024
    lr: float = 3e-4
    steps: int = 50
    warmup: int = 5
    clip: float = 1.0


class Pretrainer:
    def __init__(self, args):
        self.args = args
        config = LlamaConfig(vocab_size=2000, hidden_size=512, intermediate_size=1376, num_hidden_layers=12,
                             num_attention_heads=8, num_key_value_heads=8, max_position_embeddings=2048, use_cache=False)
        self.model = LlamaForCausalLM(config).cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=args.lr, betas=(0.9, 0.95), weight_decay=0.1)

    def lr_at(self, step):
        if step < self.args.warmup:
            return self.args.lr * (step + 1) / self.args.warmup
        done = (step - self.args.warmup) / (self.args.steps - self.args.warmup)
        return self.args.lr * 0.5 * (1 + math.cos(math.pi * done))

    def batch(self):
        return torch.randint(0, 2000, (self.args.batch_size, self.args.seq_len), device="cuda")

    def train(self):
        self.model.train()
        for step in range(self.args.steps):
            for g in self.opt.param_groups:
                g["lr"] = self.lr_at(step)
            ids = self.batch()
            loss = self.model(input_ids=ids, labels=ids).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip)
            self.opt.step()
            self.opt.zero_grad(set_to_none=True)
            print(step, round(loss.item(), 4))


if __name__ == "__main__":
    Pretrainer(Args()).train()
