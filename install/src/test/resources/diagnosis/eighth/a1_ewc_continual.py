# limit: 4
"""Continual learning with EWC on a GPT-2 medium: anchor weights and a diagonal Fisher."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel


class EWC:
    def __init__(self, model, lam=100.0):
        self.lam = lam
        self.anchor = {n: p.detach().clone() for n, p in model.named_parameters()}
        self.fisher = {n: torch.zeros_like(p) for n, p in model.named_parameters()}

    def update_fisher(self, model, n):
        for name, p in model.named_parameters():
            if p.grad is not None:
                self.fisher[name].add_(p.grad.detach() ** 2 / n)

    def pull(self, model, lr):
        with torch.no_grad():
            for name, p in model.named_parameters():
                p.sub_(lr * self.lam * self.fisher[name] * (p - self.anchor[name]))


def lm_batch(vocab, device):
    return torch.randint(0, vocab, (1, 64), device=device)


def main():
    torch.manual_seed(5)
    device = "cuda"
    cfg = GPT2Config(n_embd=1024, n_layer=24, n_head=16, n_positions=256)
    with torch.device(device):
        model = GPT2LMHeadModel(cfg)
    n_params = sum(p.numel() for p in model.parameters())
    print(f"{n_params / 1e6:.0f}M parameters")

    ewc = EWC(model)
    for _ in range(4):
        ids = lm_batch(cfg.vocab_size, device)
        model.zero_grad()
        model(input_ids=ids, labels=ids).loss.backward()
        ewc.update_fisher(model, 4)

    opt = torch.optim.SGD(model.parameters(), lr=1e-4)
    for step in range(10):
        ids = lm_batch(cfg.vocab_size, device)
        opt.zero_grad()
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        opt.step()
        ewc.pull(model, 1e-4)
        print(step, loss.item())


main()
