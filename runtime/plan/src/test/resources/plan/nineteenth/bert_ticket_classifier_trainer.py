"""Support-ticket classification: BERT from config with the HF Trainer, dynamic padding, eval each epoch."""
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainerCallback, TrainingArguments, set_seed

set_seed(123)

VOCAB = 30522
LABELS = 8
MAX_LEN = 256
HIDDEN, LAYERS, HEADS = 768, 8, 12
TRAIN_BS, EVAL_BS = 24, 32
N_TRAIN, N_EVAL = 96, 64


class Tickets(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.rows = []
        for _ in range(n):
            length = int(np.clip(rng.lognormal(4.6, 0.6), 16, MAX_LEN))
            label = int(rng.integers(LABELS))
            ids = rng.integers(1000, VOCAB, length)
            ids[0], ids[-1] = 101, 102
            ids[1 : 1 + length // 8] = 2000 + label
            self.rows.append((ids.tolist(), label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids, label = self.rows[i]
        return {"input_ids": ids, "labels": label}


def pad_collate(features, multiple=16):
    longest = max(len(f["input_ids"]) for f in features)
    longest = (longest + multiple - 1) // multiple * multiple
    ids = torch.zeros(len(features), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for r, f in enumerate(features):
        n = len(f["input_ids"])
        ids[r, :n] = torch.tensor(f["input_ids"])
        mask[r, :n] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([f["labels"] for f in features])}


class MemoryCallback(TrainerCallback):
    def on_step_end(self, args, state, control, **kw):
        if state.global_step in (1, state.max_steps):
            print(f"step {state.global_step}: peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def metrics(pred):
    guess = pred.predictions.argmax(-1)
    return {"accuracy": float((guess == pred.label_ids).mean())}


def main():
    config = BertConfig(
        vocab_size=VOCAB,
        hidden_size=HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        intermediate_size=4 * HIDDEN,
        num_labels=LABELS,
        classifier_dropout=0.2,
    )
    model = BertForSequenceClassification(config)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=TRAIN_BS,
            per_device_eval_batch_size=EVAL_BS,
            num_train_epochs=1,
            learning_rate=3e-5,
            weight_decay=0.01,
            warmup_steps=1,
            lr_scheduler_type="linear",
            fp16=True,
            max_grad_norm=1.0,
            eval_strategy="epoch",
            save_strategy="no",
            logging_steps=2,
            report_to="none",
            disable_tqdm=True,
            seed=123,
            dataloader_num_workers=0,
        )
        trainer = Trainer(
            model=model,
            args=args,
            train_dataset=Tickets(N_TRAIN, 1),
            eval_dataset=Tickets(N_EVAL, 2),
            data_collator=pad_collate,
            compute_metrics=metrics,
            callbacks=[MemoryCallback()],
        )
        result = trainer.train()
        print("train loss", round(result.training_loss, 4))
        print({k: round(v, 4) for k, v in trainer.evaluate().items() if k in ("eval_loss", "eval_accuracy")})
        trainer.save_model(out + "/final")


if __name__ == "__main__":
    main()
