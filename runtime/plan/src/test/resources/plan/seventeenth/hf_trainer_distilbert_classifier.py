"""Sentence classification with DistilBERT (random init) through transformers.Trainer."""
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import (DistilBertConfig, DistilBertForSequenceClassification, Trainer, TrainerCallback,
                          TrainingArguments, set_seed)

MAX_LEN = 256
VOCAB = 30522
LABELS = 4
N_TRAIN = 128
N_EVAL = 64
BATCH = 32
DIM = 768
LAYERS = 6
USE_BF16 = True


class NewsLike(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.rows = []
        for _ in range(n):
            length = int(rng.integers(20, MAX_LEN))
            label = int(rng.integers(LABELS))
            ids = rng.integers(1000 + label * 500, VOCAB, size=length)
            ids[0], ids[-1] = 101, 102
            self.rows.append((ids, label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids, label = self.rows[i]
        return {"input_ids": ids, "labels": label}


def collator(features):
    longest = max(len(f["input_ids"]) for f in features)
    ids = torch.zeros(len(features), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for r, f in enumerate(features):
        n = len(f["input_ids"])
        ids[r, :n] = torch.from_numpy(f["input_ids"])
        mask[r, :n] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([f["labels"] for f in features])}


def compute_metrics(pred):
    logits, labels = pred
    guess = logits.argmax(-1)
    f1 = []
    for c in range(LABELS):
        tp = ((guess == c) & (labels == c)).sum()
        f1.append(2 * tp / max(1, (guess == c).sum() + (labels == c).sum()))
    return {"accuracy": float((guess == labels).mean()), "macro_f1": float(np.mean(f1))}


class MemoryCallback(TrainerCallback):
    def on_epoch_end(self, args, state, control, **kw):
        print(f"epoch {state.epoch:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    set_seed(13)
    config = DistilBertConfig(vocab_size=VOCAB, dim=DIM, n_layers=LAYERS, n_heads=DIM // 64, hidden_dim=4 * DIM,
                              num_labels=LABELS)
    model = DistilBertForSequenceClassification(config)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=BATCH,
            per_device_eval_batch_size=2 * BATCH,
            num_train_epochs=2,
            learning_rate=5e-5,
            weight_decay=0.01,
            warmup_steps=2,
            max_grad_norm=1.0,
            bf16=USE_BF16,
            eval_strategy="epoch",
            save_strategy="no",
            logging_steps=2,
            report_to="none",
            disable_tqdm=True,
            dataloader_num_workers=0,
            seed=13,
        )
        trainer = Trainer(model=model, args=args, train_dataset=NewsLike(N_TRAIN, 0), eval_dataset=NewsLike(N_EVAL, 1),
                          data_collator=collator, compute_metrics=compute_metrics, callbacks=[MemoryCallback()])
        result = trainer.train()
        print("train loss", round(result.training_loss, 4))
        print("test", {k: round(float(v), 4) for k, v in trainer.evaluate().items()})


if __name__ == "__main__":
    main()
