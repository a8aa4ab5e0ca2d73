# limit: 1.6
import torch
import torch.nn as nn
from transformers import GPT2Config, GPT2LMHeadModel


class LoraLinear(nn.Module):
    """low-rank side path around a projection"""

    def __init__(self, base, r=8):
        super().__init__()
        self.base = base
        nx, nf = base.weight.shape
        self.a = nn.Parameter(torch.randn(nx, r, device=base.weight.device) * 0.01)
        self.b = nn.Parameter(torch.zeros(r, nf, device=base.weight.device))

    def forward(self, x):
        return self.base(x) + x @ self.a @ self.b


def add_adapters(model):
    for blk in model.transformer.h:
        blk.attn.c_attn = LoraLinear(blk.attn.c_attn)
    return model


def validate(model, cfg, n=4):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for _ in range(n):
            ids = torch.randint(0, cfg.vocab_size, (2, 128), device="cuda")
            total += model(ids, labels=ids).loss.item()
    model.train()
    return total / n


def main():
    torch.manual_seed(0)
    cfg = GPT2Config(vocab_size=16000, n_embd=1024, n_layer=10, n_head=16, n_positions=128)
    model = add_adapters(GPT2LMHeadModel(cfg).to("cuda"))
    print(f"start {validate(model, cfg):.3f}")
    trainable = [p for p in model.parameters()]
    opt = torch.optim.AdamW(trainable, lr=1e-4)
    for step in range(40):
        # two micro batches to a step
        for _ in range(2):
            ids = torch.randint(0, cfg.vocab_size, (1, 128), device="cuda")
            (model(ids, labels=ids).loss / 2).backward()
        opt.step()
        opt.zero_grad()
        if step % 10 == 0:
            print(step, f"{validate(model, cfg):.3f}")


if __name__ == "__main__":
    main()
