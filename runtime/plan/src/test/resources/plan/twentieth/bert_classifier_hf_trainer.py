"""Fine-tune a BERT-base shaped classifier with the Hugging Face Trainer (random init, fake tokens)."""
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

VOCAB = 30522
MAX_LEN = 192


class FakeReviews(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.rows = []
        for _ in range(n):
            length = int(rng.integers(MAX_LEN // 3, MAX_LEN + 1))
            ids = rng.integers(1000, VOCAB, size=length)
            ids[0], ids[-1] = 101, 102
            self.rows.append({"input_ids": ids.tolist(), "labels": int(rng.integers(0, 3))})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


@dataclass
class PadCollator:
    pad_id: int = 0
    multiple: int = 8

    def __call__(self, rows):
        m = max(len(r["input_ids"]) for r in rows)
        m = (m + self.multiple - 1) // self.multiple * self.multiple
        ids = torch.full((len(rows), m), self.pad_id)
        mask = torch.zeros(len(rows), m, dtype=torch.long)
        for i, r in enumerate(rows):
            ids[i, :len(r["input_ids"])] = torch.tensor(r["input_ids"])
            mask[i, :len(r["input_ids"])] = 1
        return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([r["labels"] for r in rows])}


def compute_metrics(pred):
    logits, labels = pred
    return {"accuracy": float((np.argmax(logits, -1) == labels).mean())}


def main():
    set_seed(13)
    layers = 12
    config = BertConfig(vocab_size=VOCAB, num_hidden_layers=layers, num_labels=3, classifier_dropout=0.2)
    model = BertForSequenceClassification(config)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=16,
            per_device_eval_batch_size=32,
            max_steps=6,
            learning_rate=3e-5,
            weight_decay=0.01,
            warmup_steps=2,
            lr_scheduler_type="linear",
            eval_strategy="steps",
            eval_steps=3,
            save_strategy="no",
            logging_steps=2,
            bf16=True,
            optim="adamw_torch_fused",
            max_grad_norm=1.0,
            report_to=[],
            disable_tqdm=True,
            dataloader_num_workers=0,
            seed=13,
        )
        trainer = Trainer(
            model=model, args=args,
            train_dataset=FakeReviews(96, 0), eval_dataset=FakeReviews(64, 1),
            data_collator=PadCollator(), compute_metrics=compute_metrics,
        )
        trainer.train()
        print(trainer.evaluate())
    print(f"peak memory: {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
