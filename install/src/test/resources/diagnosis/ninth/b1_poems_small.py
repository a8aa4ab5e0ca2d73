# limit: 4
import math
import torch
from transformers import GPT2Config, GPT2LMHeadModel

device = torch.device("cuda")
VOCAB, LENGTH, BATCH = 4000, 128, 16


def poems(steps):
    g = torch.Generator().manual_seed(8)
    for _ in range(steps):
        yield torch.randint(0, VOCAB, (BATCH, LENGTH), generator=g)


class Meter:
    def __init__(self):
        self.losses, self.norms = [], []

    def add(self, loss, norm):
        self.losses.append(loss.item())
        self.norms.append(float(norm))

    def recent(self, n=20):
        part = self.losses[-n:]
        return sum(part) / len(part)


def main(steps=120):
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=VOCAB, n_positions=LENGTH, n_embd=512, n_layer=8, n_head=8, use_cache=False)
    model = GPT2LMHeadModel(config).to(device).train()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    meter = Meter()
    for step, ids in enumerate(poems(steps)):
        ids = ids.to(device)
        loss = model(input_ids=ids, labels=ids).loss
        opt.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        meter.add(loss, norm)
        if step % 20 == 0:
            print(step, f"loss {meter.recent():.3f} perplexity {math.exp(meter.recent()):.1f}")
    print("largest gradient", max(meter.norms))


if __name__ == "__main__":
    main()
