# limit: 1.2
"""Large virtual batch for speech emotion recognition with gradient accumulation."""
import torch
from transformers import ASTConfig, ASTForAudioClassification

torch.manual_seed(6)


class Accumulator:
    def __init__(self, model, opt, n_micro):
        self.model, self.opt, self.n = model, opt, n_micro

    def step(self, batches):
        self.opt.zero_grad(set_to_none=True)
        total = torch.zeros((), device="cuda")
        for x, y in batches:
            loss = self.model(input_values=x, labels=y).loss / self.n
            loss.backward()
            total += loss.detach()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return total.item()


def micro(n, bs=8):
    for _ in range(n):
        yield torch.randn(bs, 256, 64, device="cuda"), torch.randint(0, 6, (bs,), device="cuda")


def main():
    cfg = ASTConfig(
        hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536,
        max_length=256, num_mel_bins=64, num_labels=6)
    model = ASTForAudioClassification(cfg).cuda().train()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for epoch, n in enumerate((4, 8, 16, 32)):
        acc = Accumulator(model, opt, n)
        for _ in range(4):
            loss = acc.step(micro(n))
        print(f"epoch {epoch}: {n} micro batches, loss {loss:.3f},",
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB", flush=True)


main()
