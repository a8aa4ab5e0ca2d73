# limit: 1.25
# our share of the lab card is small, so batch size is 1 and everything else is minimal
import torch
from transformers import GPT2Config, GPT2LMHeadModel


def build():
    cfg = GPT2Config(vocab_size=4096, n_positions=256, n_embd=768, n_layer=12, n_head=12)
    return GPT2LMHeadModel(cfg)


class CodeTokens:
    """VQ-VAE codes of 16x16 images"""

    def __init__(self, n=64):
        self.codes = torch.randint(0, 4096, (n, 256), generator=torch.Generator().manual_seed(5))

    def __len__(self):
        return len(self.codes)

    def batches(self):
        for k in torch.randperm(len(self)).tolist():
            yield self.codes[k:k + 1, :64].to("cuda")


class PriorTrainer:
    def __init__(self, model, accumulate=4):
        self.model = model.to("cuda")
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-4, fused=True)
        self.accumulate = accumulate
        self.seen = 0

    def epoch(self, data):
        total = 0.0
        for ids in data.batches():
            loss = self.model(input_ids=ids, labels=ids).loss / self.accumulate
            loss.backward()
            total += loss.item()
            self.seen += 1
            if self.seen % self.accumulate == 0:
                self.opt.step()
                self.opt.zero_grad()
        return total * self.accumulate / len(data)


def main():
    torch.manual_seed(5)
    trainer = PriorTrainer(build())
    data = CodeTokens()
    for epoch in range(3):
        print(f"epoch {epoch}: {trainer.epoch(data):.4f}")


if __name__ == "__main__":
    main()
