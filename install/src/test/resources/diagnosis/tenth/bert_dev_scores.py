# limit: 3
import torch
from transformers import BertConfig, BertForSequenceClassification

config = BertConfig(vocab_size=8000, hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536,
                    num_labels=3, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
model = BertForSequenceClassification(config).to("cuda")
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)


def batches(n, size=16, length=128):
    for _ in range(n):
        ids = torch.randint(0, 8000, (size, length), device="cuda")
        yield {"input_ids": ids, "labels": torch.randint(0, 3, (size,), device="cuda")}


def train_epoch():
    model.train()
    for batch in batches(10):
        out = model(**batch)
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return out.loss.item()


def dev_epoch():
    model.eval()
    all_logits, all_labels = [], []
    for batch in batches(60):
        out = model(input_ids=batch["input_ids"])
        all_logits.append(out.logits)
        all_labels.append(batch["labels"])
    logits, labels = torch.cat(all_logits), torch.cat(all_labels)
    return (logits.argmax(-1) == labels).float().mean().item()


for epoch in range(3):
    print("train", train_epoch())
    print("dev", dev_epoch())
