"""GPT-2 style model on tokenised source code with transformers' Trainer.

bf16, gradient accumulation, gradient checkpointing off, evaluation every few steps.
Tokens here are random: the memory question does not depend on them.
"""
import math
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    default_data_collator,
    set_seed,
)

BLOCK = 512
VOCAB = 24000
PER_DEVICE_BATCH = 6
ACCUM = 2
MAX_STEPS = 4


class PackedTokens(Dataset):
    """A long token stream cut into blocks."""

    def __init__(self, n_blocks, seed):
        g = torch.Generator().manual_seed(seed)
        stream = torch.randint(0, VOCAB, (n_blocks * BLOCK,), generator=g)
        # make it a little predictable
        stream[1::2] = (stream[0::2] * 7 + 3) % VOCAB
        self.blocks = stream.view(n_blocks, BLOCK)

    def __len__(self):
        return self.blocks.size(0)

    def __getitem__(self, i):
        ids = self.blocks[i]
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids}


class MemoryCallback(TrainerCallback):
    def on_step_end(self, args, state, control, **kwargs):
        now = torch.cuda.memory_allocated() / 2**20
        top = torch.cuda.max_memory_allocated() / 2**20
        print(f"  step {state.global_step}: allocated {now:.0f} MiB, peak {top:.0f} MiB")


def keep_argmax_only(logits, labels):
    """Otherwise the full (N, T, V) logits are gathered by the evaluation loop."""
    if isinstance(logits, tuple):
        logits = logits[0]
    return logits.argmax(dim=-1)


def compute_metrics(pred):
    preds, labels = pred
    hit = (preds[:, :-1] == labels[:, 1:]).mean()
    return {"next_token_acc": float(hit)}


def main():
    set_seed(1234)
    config = GPT2Config(
        vocab_size=VOCAB, n_positions=BLOCK, n_embd=576, n_layer=8, n_head=9,
        resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.1, bos_token_id=0, eos_token_id=0,
    )
    model = GPT2LMHeadModel(config)
    print(f"{model.num_parameters() / 1e6:.1f}M parameters")

    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=PER_DEVICE_BATCH,
            per_device_eval_batch_size=PER_DEVICE_BATCH,
            gradient_accumulation_steps=ACCUM,
            max_steps=MAX_STEPS,
            learning_rate=5e-4,
            lr_scheduler_type="cosine",
            warmup_steps=1,
            weight_decay=0.1,
            max_grad_norm=1.0,
            bf16=True,
            optim="adamw_torch",
            logging_steps=2,
            eval_strategy="steps",
            eval_steps=2,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            seed=1234,
            dataloader_num_workers=0,
        )
        trainer = Trainer(
            model=model,
            args=args,
            train_dataset=PackedTokens(PER_DEVICE_BATCH * ACCUM * MAX_STEPS, 0),
            eval_dataset=PackedTokens(PER_DEVICE_BATCH * 2, 1),
            data_collator=default_data_collator,
            compute_metrics=compute_metrics,
            preprocess_logits_for_metrics=keep_argmax_only,
            callbacks=[MemoryCallback()],
        )
        result = trainer.train()
        metrics = trainer.evaluate()
    print("train loss", round(result.training_loss, 3), "eval ppl", round(math.exp(min(20, metrics["eval_loss"])), 1))


if __name__ == "__main__":
    main()
