# limit: 0.5
"""Route support tickets with a DistilBERT-sized classifier (0.5 GiB slice)."""
import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification

QUEUES = 9


def tickets(n, bs=2, length=48):
    g = torch.Generator().manual_seed(12)
    for _ in range(n):
        ids = torch.randint(5, 30000, (bs, length), generator=g)
        yield {"input_ids": ids, "attention_mask": torch.ones_like(ids),
               "labels": torch.randint(0, QUEUES, (bs,), generator=g)}


def to_dev(batch, dev):
    return {k: v.to(dev) for k, v in batch.items()}


@torch.no_grad()
def evaluate(model, dev):
    model.eval()
    hits = n = 0
    for b in tickets(10):
        b = to_dev(b, dev)
        hits += (model(**b).logits.argmax(-1) == b["labels"]).sum().item()
        n += len(b["labels"])
    return hits / n


def train(model, dev, epochs=2):
    opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
    for ep in range(epochs):
        model.train()
        for b in tickets(20):
            loss = model(**to_dev(b, dev)).loss
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
        print(f"epoch {ep} loss {loss.item():.3f} acc {evaluate(model, dev):.3f}")


def main():
    torch.manual_seed(12)
    dev = torch.device("cuda")
    cfg = DistilBertConfig(num_labels=QUEUES)
    model = DistilBertForSequenceClassification(cfg).to(dev)
    print("accuracy before", evaluate(model, dev))
    train(model, dev)


if __name__ == "__main__":
    main()
