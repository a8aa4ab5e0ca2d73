"""Continue pre-training of a ModernBERT-shaped encoder with 30% masking, via transformers.Trainer (bf16)."""
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import ModernBertConfig, ModernBertForMaskedLM, Trainer, TrainerCallback, TrainingArguments

VOCAB = 30000
SEQ = 512
MASK_ID, PAD_ID = 4, 0
N_TRAIN, N_EVAL = 48, 16
PER_DEVICE = 8


class Corpus(Dataset):
    def __init__(self, n, offset):
        self.n, self.offset = n, offset

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.offset + i)
        return {"ids": torch.randint(5, VOCAB, (SEQ,), generator=g)}


class MaskCollator:
    def __init__(self, p=0.3, seed=0):
        self.p = p
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self, rows):
        ids = torch.stack([r["ids"] for r in rows])
        labels = ids.clone()
        m = torch.rand(ids.shape, generator=self.g) < self.p
        labels[~m] = -100
        return {"input_ids": ids.masked_fill(m, MASK_ID), "attention_mask": torch.ones_like(ids), "labels": labels}


class MemLog(TrainerCallback):
    def on_step_end(self, args, state, control, **kw):
        print(f"step {state.global_step} allocated {torch.cuda.memory_allocated() >> 20} MiB")


def main():
    torch.manual_seed(1)
    cfg = ModernBertConfig(vocab_size=VOCAB, hidden_size=512, intermediate_size=768, num_hidden_layers=10,
                           num_attention_heads=8, max_position_embeddings=1024, local_attention=128,
                           global_attn_every_n_layers=3, pad_token_id=PAD_ID, bos_token_id=1, eos_token_id=2,
                           cls_token_id=1, sep_token_id=2)
    cfg._attn_implementation = "sdpa"
    model = ModernBertForMaskedLM(cfg)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=PER_DEVICE, per_device_eval_batch_size=PER_DEVICE,
            gradient_accumulation_steps=2, num_train_epochs=1, learning_rate=5e-4, warmup_steps=1,
            lr_scheduler_type="cosine", weight_decay=1e-5, adam_beta2=0.98, bf16=True,
            eval_strategy="epoch", save_strategy="epoch", logging_steps=1, report_to=[],
            prediction_loss_only=True, remove_unused_columns=False, dataloader_num_workers=0, seed=1, disable_tqdm=True,
        )
        tr = Trainer(model=model, args=args, train_dataset=Corpus(N_TRAIN, 0), eval_dataset=Corpus(N_EVAL, 10**6),
                     data_collator=MaskCollator(), callbacks=[MemLog()])
        res = tr.train()
    print("final train loss", round(res.training_loss, 4))
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
