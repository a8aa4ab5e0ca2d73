import random
import tempfile

import numpy as np
import torch
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader, Dataset
from transformers import DistilBertConfig, DistilBertForSequenceClassification, get_linear_schedule_with_warmup

SEED = 3407
EPOCHS = 2
BATCH_SIZE = 24
MAX_LEN = 384
HIDDEN = 768
NUM_LABELS = 4
N_TRAIN, N_TEST = 128, 64


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)


class ReviewDataset(Dataset):
    """Already tokenised reviews; lengths follow a log-normal distribution."""

    def __init__(self, n, rng):
        lens = np.clip(rng.lognormal(4.6, 0.6, n).astype(int), 8, MAX_LEN)
        self.labels = rng.integers(0, NUM_LABELS, n)
        self.texts = [rng.integers(1000 + 500 * y, 9000 + 500 * y, k).tolist() for k, y in zip(lens, self.labels)]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        return {"input_ids": [101] + self.texts[i][: MAX_LEN - 2] + [102], "label": int(self.labels[i])}


def collate(batch):
    longest = max(len(b["input_ids"]) for b in batch)
    longest = (longest + 7) // 8 * 8
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros(len(batch), longest, dtype=torch.long)
    for i, b in enumerate(batch):
        n = len(b["input_ids"])
        ids[i, :n] = torch.tensor(b["input_ids"])
        mask[i, :n] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([b["label"] for b in batch])}


def evaluate(model, loader, device):
    model.eval()
    preds, labels, total = [], [], 0.0
    with torch.no_grad():
        for batch in loader:
            batch = {k: v.to(device) for k, v in batch.items()}
            out = model(**batch)
            total += out.loss.item()
            preds.extend(out.logits.argmax(-1).tolist())
            labels.extend(batch["labels"].tolist())
    return total / len(loader), f1_score(labels, preds, average="macro")


def main():
    seed_everything(SEED)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rng = np.random.default_rng(SEED)
    train_dl = DataLoader(ReviewDataset(N_TRAIN, rng), batch_size=BATCH_SIZE, shuffle=True, collate_fn=collate)
    test_dl = DataLoader(ReviewDataset(N_TEST, rng), batch_size=BATCH_SIZE, collate_fn=collate)

    config = DistilBertConfig(num_labels=NUM_LABELS, dim=HIDDEN, hidden_dim=4 * HIDDEN)
    model = DistilBertForSequenceClassification(config).to(device)
    no_decay = ["bias", "LayerNorm.weight", "layer_norm.weight"]
    grouped = [
        {"params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)], "weight_decay": 0.01},
        {"params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(grouped, lr=2e-5, eps=1e-8)
    total_steps = EPOCHS * len(train_dl)
    scheduler = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=1, num_training_steps=total_steps)

    best_f1 = -1.0
    with tempfile.TemporaryDirectory() as tmp:
        for epoch in range(EPOCHS):
            model.train()
            running = 0.0
            for batch in train_dl:
                batch = {k: v.to(device) for k, v in batch.items()}
                optimizer.zero_grad()
                loss = model(**batch).loss
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                running += loss.item()
            val_loss, f1 = evaluate(model, test_dl, device)
            print(f"Epoch {epoch + 1}/{EPOCHS} train {running / len(train_dl):.4f} val {val_loss:.4f} f1 {f1:.3f}")
            if f1 > best_f1:
                best_f1 = f1
                torch.save(model.state_dict(), f"{tmp}/best_model.bin")
        model.load_state_dict(torch.load(f"{tmp}/best_model.bin", map_location=device))
    print("best f1", round(best_f1, 3), "peak MB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
