"""Masked LM pretraining with the HF Trainer on synthetic sentences."""
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForMaskedLM, Trainer, TrainingArguments, set_seed

PAD, CLS, SEP, MASK = 0, 101, 102, 103
VOCAB = 30522


class Sentences(Dataset):
    def __init__(self, n, max_len=256):
        g = torch.Generator().manual_seed(n)
        self.items = []
        for _ in range(n):
            length = int(torch.randint(max_len // 4, max_len - 1, (1,), generator=g))
            body = torch.randint(1000, VOCAB, (length,), generator=g).tolist()
            self.items.append([CLS] + body + [SEP])

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return {"input_ids": self.items[i]}


class MLMCollator:
    """Pads to the longest in batch and masks 15% (80/10/10)."""

    def __init__(self, prob=0.15):
        self.prob = prob

    def __call__(self, examples):
        longest = max(len(e["input_ids"]) for e in examples)
        longest = (longest + 7) // 8 * 8
        ids = torch.full((len(examples), longest), PAD, dtype=torch.long)
        for i, e in enumerate(examples):
            ids[i, :len(e["input_ids"])] = torch.tensor(e["input_ids"])
        attention = (ids != PAD).long()
        labels = ids.clone()
        special = (ids == PAD) | (ids == CLS) | (ids == SEP)
        p = torch.full(ids.shape, self.prob).masked_fill(special, 0.0)
        chosen = torch.bernoulli(p).bool()
        labels[~chosen] = -100
        r = torch.rand(ids.shape)
        ids[chosen & (r < 0.8)] = MASK
        rand = chosen & (r >= 0.8) & (r < 0.9)
        ids[rand] = torch.randint(1000, VOCAB, (int(rand.sum()),))
        return {"input_ids": ids, "attention_mask": attention, "labels": labels}


def preprocess_logits(logits, labels):
    return logits.argmax(-1)


def metrics(p):
    preds, labels = p
    keep = labels != -100
    return {"mlm_acc": float((preds[keep] == labels[keep]).mean())}


def main():
    set_seed(7)
    config = BertConfig(vocab_size=VOCAB, hidden_size=768, num_hidden_layers=12, num_attention_heads=12)
    model = BertForMaskedLM(config)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=32,
            per_device_eval_batch_size=16,
            max_steps=4,
            learning_rate=1e-4,
            weight_decay=0.01,
            warmup_steps=1,
            lr_scheduler_type="linear",
            bf16=True,
            logging_steps=1,
            eval_strategy="no",
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )
        trainer = Trainer(
            model=model,
            args=args,
            train_dataset=Sentences(256),
            eval_dataset=Sentences(32),
            data_collator=MLMCollator(),
            compute_metrics=metrics,
            preprocess_logits_for_metrics=preprocess_logits,
        )
        trainer.train()
        print(trainer.evaluate())


if __name__ == "__main__":
    main()
