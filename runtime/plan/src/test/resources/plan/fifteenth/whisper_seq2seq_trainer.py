"""Whisper fine-tuning with Seq2SeqTrainer on fake log-mel features (gradient checkpointing, generate in eval)."""
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import Seq2SeqTrainer, Seq2SeqTrainingArguments, WhisperConfig, WhisperForConditionalGeneration, set_seed

VOCAB, PAD, BOS = 20000, 0, 1
FRAMES = 3000
D_MODEL, N_LAYERS, FFN = 512, 6, 2048
BATCH = 8
N_TRAIN = 48


class FakeSpeech(Dataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(1000 * self.seed + i)
        mel = torch.randn(80, FRAMES, generator=g)
        n = int(torch.randint(10, 60, (1,), generator=g))
        return {"input_features": mel, "labels": torch.randint(10, VOCAB, (n,), generator=g)}


@dataclass
class SpeechCollator:
    pad_id: int = -100

    def __call__(self, features):
        longest = max(len(f["labels"]) for f in features)
        labels = torch.full((len(features), longest), self.pad_id)
        for row, f in zip(labels, features):
            row[: len(f["labels"])] = f["labels"]
        return {"input_features": torch.stack([f["input_features"] for f in features]), "labels": labels}


def compute_metrics(pred):
    ids, labels = pred.predictions, pred.label_ids
    n = min(ids.shape[1], labels.shape[1])
    valid = labels[:, :n] != -100
    return {"token_acc": float(np.sum((ids[:, :n] == labels[:, :n]) & valid) / max(valid.sum(), 1))}


def main():
    set_seed(77)
    config = WhisperConfig(
        vocab_size=VOCAB, d_model=D_MODEL, encoder_layers=N_LAYERS, decoder_layers=N_LAYERS, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=FFN, decoder_ffn_dim=FFN, max_source_positions=FRAMES // 2,
        max_target_positions=128, pad_token_id=PAD, bos_token_id=BOS, eos_token_id=2, decoder_start_token_id=BOS,
        suppress_tokens=None, begin_suppress_tokens=None, apply_spec_augment=True, mask_time_prob=0.05,
    )
    model = WhisperForConditionalGeneration(config)
    model.generation_config.forced_decoder_ids = None
    model.generation_config.suppress_tokens = None
    model.generation_config.begin_suppress_tokens = None
    with tempfile.TemporaryDirectory() as out:
        args = Seq2SeqTrainingArguments(
            output_dir=out, per_device_train_batch_size=BATCH, per_device_eval_batch_size=4, gradient_accumulation_steps=2,
            max_steps=3, learning_rate=1e-5, warmup_steps=1, fp16=True, gradient_checkpointing=True,
            gradient_checkpointing_kwargs={"use_reentrant": False}, optim="adamw_torch_fused", logging_steps=1,
            save_strategy="no", eval_strategy="no", predict_with_generate=True, generation_max_length=24,
            remove_unused_columns=False, label_names=["labels"], report_to="none", disable_tqdm=True,
        )
        trainer = Seq2SeqTrainer(model=model, args=args, train_dataset=FakeSpeech(N_TRAIN, 1), eval_dataset=FakeSpeech(8, 2),
                                 data_collator=SpeechCollator(), compute_metrics=compute_metrics)
        trainer.train()
        print(f"train peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
        torch.cuda.reset_peak_memory_stats()
        metrics = trainer.evaluate()
    print({k: round(v, 4) for k, v in metrics.items() if k in ("eval_loss", "eval_token_acc")})
    print(f"eval peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
