"""Toy summarisation with a randomly initialised BART: Seq2SeqTrainer, gradient accumulation, bf16, beam search in eval."""
import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import (BartConfig, BartForConditionalGeneration, Seq2SeqTrainer,
                          Seq2SeqTrainingArguments, set_seed)

VOCAB, PAD, BOS, EOS = 14000, 1, 0, 2
TRAIN_DOCS = 64
SRC, TGT = 512, 64
WIDTH, LAYERS = 512, 4


class Docs(Dataset):
    """summary = every ninth word of the document"""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.docs = [rng.integers(4, VOCAB, rng.integers(SRC // 3, SRC - 2)).tolist() for _ in range(n)]

    def __len__(self):
        return len(self.docs)

    def __getitem__(self, i):
        d = self.docs[i]
        return {"input_ids": [BOS] + d + [EOS], "labels": d[::9][:TGT - 1] + [EOS]}


def collate(rows):
    def pad(key, value):
        w = max(len(r[key]) for r in rows)
        return torch.tensor([r[key] + [value] * (w - len(r[key])) for r in rows])

    ids = pad("input_ids", PAD)
    return {"input_ids": ids, "attention_mask": (ids != PAD).long(), "labels": pad("labels", -100)}


def overlap(p):
    pred = np.where(p.predictions < 0, PAD, p.predictions)
    scores = []
    for a, b in zip(pred, p.label_ids):
        ref = set(b[b >= 4].tolist())
        scores.append(len(set(a.tolist()) & ref) / max(1, len(ref)))
    return {"unigram_recall": float(np.mean(scores)), "gen_len": float((pred != PAD).sum(1).mean())}


def main():
    set_seed(451)
    cfg = BartConfig(vocab_size=VOCAB, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS,
                     encoder_attention_heads=8, decoder_attention_heads=8, encoder_ffn_dim=4 * WIDTH, decoder_ffn_dim=4 * WIDTH,
                     max_position_embeddings=SRC + 8, pad_token_id=PAD, bos_token_id=BOS, eos_token_id=EOS,
                     decoder_start_token_id=EOS, forced_eos_token_id=EOS)
    model = BartForConditionalGeneration(cfg)
    model.generation_config.num_beams = 4
    model.generation_config.max_new_tokens = 16
    with tempfile.TemporaryDirectory() as out:
        args = Seq2SeqTrainingArguments(
            output_dir=out, per_device_train_batch_size=8, per_device_eval_batch_size=4, gradient_accumulation_steps=2,
            num_train_epochs=1, learning_rate=5e-4, lr_scheduler_type="linear", warmup_steps=1, bf16=True,
            optim="adamw_torch_fused", predict_with_generate=True, eval_strategy="no", save_strategy="no",
            logging_steps=1, report_to="none", disable_tqdm=True, seed=451,
        )
        trainer = Seq2SeqTrainer(model=model, args=args, train_dataset=Docs(TRAIN_DOCS, 1), eval_dataset=Docs(8, 2),
                                 data_collator=collate, compute_metrics=overlap)
        trainer.train()
        print("peak after training %d MiB" % (torch.cuda.max_memory_allocated() // 2**20))
        torch.cuda.reset_peak_memory_stats()
        print({k: round(v, 4) for k, v in trainer.evaluate().items() if isinstance(v, float)})
        print("peak in beam search %d MiB" % (torch.cuda.max_memory_allocated() // 2**20))


if __name__ == "__main__":
    main()
