# Sentiment classification with the HF Trainer, own callback for memory, metrics by numpy.
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)

VOCAB = 30522
MAX_LEN = 256
TRAIN_ROWS = 128
EVAL_ROWS = 64


class ReviewDataset(Dataset):
    """Pre-tokenised reviews of varying length (no padding; the collator pads)."""

    def __init__(self, rows, seed):
        rng = np.random.default_rng(seed)
        self.items = []
        for _ in range(rows):
            length = int(rng.integers(40, MAX_LEN + 1))
            label = int(rng.integers(0, 3))
            ids = rng.integers(1000, VOCAB, size=length)
            ids[0], ids[-1] = 101, 102
            ids[5 + label] = 2000 + label
            self.items.append({"input_ids": ids.tolist(), "labels": label})

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    longest = max(len(b["input_ids"]) for b in batch)
    longest = (longest + 7) // 8 * 8
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for i, b in enumerate(batch):
        n = len(b["input_ids"])
        ids[i, :n] = torch.tensor(b["input_ids"])
        mask[i, :n] = 1
    labels = torch.tensor([b["labels"] for b in batch])
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


class MemoryCallback(TrainerCallback):
    def on_step_end(self, args, state, control, **kwargs):
        peak = torch.cuda.max_memory_allocated() / 2**20
        print(f"[mem] global step {state.global_step}: peak {peak:.0f} MiB")

    def on_evaluate(self, args, state, control, metrics=None, **kwargs):
        acc = metrics.get("eval_accuracy") if metrics else None
        print(f"[eval] step {state.global_step} accuracy {acc}")


def compute_metrics(pred):
    guess = pred.predictions.argmax(-1)
    acc = float((guess == pred.label_ids).mean())
    f1s = []
    for c in range(3):
        tp = ((guess == c) & (pred.label_ids == c)).sum()
        denom = (guess == c).sum() + (pred.label_ids == c).sum()
        f1s.append(2 * tp / max(denom, 1))
    return {"accuracy": acc, "macro_f1": float(np.mean(f1s))}


def main():
    set_seed(7)
    device = torch.device("cuda")
    config = BertConfig(num_labels=3, num_hidden_layers=12, hidden_size=768)
    model = BertForSequenceClassification(config).to(device)

    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=16,
            per_device_eval_batch_size=32,
            gradient_accumulation_steps=2,
            num_train_epochs=1,
            learning_rate=3e-5,
            weight_decay=0.01,
            warmup_steps=1,
            lr_scheduler_type="linear",
            bf16=True,
            eval_strategy="epoch",
            save_strategy="no",
            logging_steps=2,
            report_to="none",
            disable_tqdm=True,
            dataloader_pin_memory=True,
            seed=7,
        )
        trainer = Trainer(
            model=model,
            args=args,
            train_dataset=ReviewDataset(TRAIN_ROWS, 0),
            eval_dataset=ReviewDataset(EVAL_ROWS, 1),
            data_collator=collate,
            compute_metrics=compute_metrics,
            callbacks=[MemoryCallback()],
        )
        result = trainer.train()
        print("train loss", round(result.training_loss, 4))


if __name__ == "__main__":
    main()
