# limit: 2.5
import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification

SCHEDULE = [(16, 128)] * 8 + [(16, 256)] * 8 + [(32, 512)] * 8


class Meter:
    def __init__(self):
        self.n, self.s = 0, 0.0

    def add(self, v):
        self.n += 1
        self.s += v

    @property
    def mean(self):
        return self.s / max(self.n, 1)


def batches():
    g = torch.Generator().manual_seed(9)
    for b, t in SCHEDULE:
        yield {
            "input_ids": torch.randint(0, 9000, (b, t), generator=g),
            "labels": torch.randint(0, 6, (b,), generator=g),
        }


def main():
    torch.manual_seed(9)
    cfg = DistilBertConfig(vocab_size=9000, dim=512, hidden_dim=2048, n_layers=6, n_heads=8, num_labels=6,
                           max_position_embeddings=512)
    model = DistilBertForSequenceClassification(cfg).to("cuda").train()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
    meter = Meter()
    for step, batch in enumerate(batches()):
        batch = {k: v.to("cuda", non_blocking=True) for k, v in batch.items()}
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        meter.add(out.loss.item())
        if step % 4 == 0:
            print(f"{step:3d} len {batch['input_ids'].shape[1]} loss {meter.mean:.4f}")


if __name__ == "__main__":
    main()
