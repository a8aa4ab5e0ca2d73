"""Keyword spotting with a small Wav2Vec2 classifier via transformers.Trainer."""
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import (Trainer, TrainingArguments, Wav2Vec2Config,
                          Wav2Vec2ForSequenceClassification, set_seed)

NUM_LABELS = 12
SECONDS = 3
N_TRAIN = 48
BATCH = 8


class Chirps(Dataset):
    def __init__(self, n, seed):
        self.rng = np.random.default_rng(seed)
        self.labels = self.rng.integers(0, NUM_LABELS, n)
        self.seeds = self.rng.integers(0, 2**31, n)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        rng = np.random.default_rng(self.seeds[i])
        t = np.arange(16000 * SECONDS) / 16000
        f0 = 150 + 80 * self.labels[i]
        wav = np.sin(2 * np.pi * (f0 * t + 40 * t**2)) + 0.2 * rng.standard_normal(t.shape)
        wav = (wav - wav.mean()) / wav.std()
        return {"input_values": torch.tensor(wav, dtype=torch.float32), "labels": int(self.labels[i])}


def collate(rows):
    return {"input_values": torch.stack([r["input_values"] for r in rows]),
            "labels": torch.tensor([r["labels"] for r in rows])}


def accuracy(p):
    logits = p.predictions[0] if isinstance(p.predictions, tuple) else p.predictions
    return {"acc": float((logits.argmax(-1) == p.label_ids).mean())}


def main():
    set_seed(31)
    cfg = Wav2Vec2Config(
        hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536,
        conv_dim=(256,) * 7, num_conv_pos_embeddings=64, num_conv_pos_embedding_groups=16,
        classifier_proj_size=128, num_labels=NUM_LABELS, mask_time_prob=0.05, layerdrop=0.0,
    )
    model = Wav2Vec2ForSequenceClassification(cfg)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=BATCH, per_device_eval_batch_size=BATCH,
            num_train_epochs=1, learning_rate=3e-4, warmup_steps=2, lr_scheduler_type="cosine",
            logging_steps=2, save_strategy="no", eval_strategy="epoch", report_to="none",
            disable_tqdm=True, max_grad_norm=1.0, optim="adamw_torch", dataloader_num_workers=0, seed=31,
        )
        trainer = Trainer(model=model, args=args, train_dataset=Chirps(N_TRAIN, 1), eval_dataset=Chirps(16, 2),
                          data_collator=collate, compute_metrics=accuracy)
        result = trainer.train()
        print("train loss", round(result.training_loss, 4))
        print("device", trainer.args.device)
    print("peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
