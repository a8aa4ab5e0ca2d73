"""Masked language modelling of a small BERT from scratch with transformers.Trainer."""
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForMaskedLM, Trainer, TrainerCallback, TrainingArguments, set_seed

VOCAB = 30522
MASK_ID, PAD_ID, CLS_ID, SEP_ID = 103, 0, 101, 102
MAX_LEN = 160
BATCH = 32
STEPS = 6


class SyntheticText(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            ln = int(torch.randint(60, MAX_LEN - 1, (1,), generator=g))
            body = torch.randint(1000, VOCAB, (ln,), generator=g)
            self.rows.append(torch.cat([torch.tensor([CLS_ID]), body, torch.tensor([SEP_ID])]))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return {"input_ids": self.rows[i]}


class MLMCollator:
    def __init__(self, prob=0.15, seed=0):
        self.prob = prob
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self, features):
        ids = torch.nn.utils.rnn.pad_sequence([f["input_ids"] for f in features], batch_first=True, padding_value=PAD_ID)
        attn = (ids != PAD_ID).long()
        labels = ids.clone()
        special = (ids == PAD_ID) | (ids == CLS_ID) | (ids == SEP_ID)
        masked = (torch.rand(ids.shape, generator=self.g) < self.prob) & ~special
        labels[~masked] = -100
        r = torch.rand(ids.shape, generator=self.g)
        ids[masked & (r < 0.8)] = MASK_ID
        rand = masked & (r > 0.9)
        ids[rand] = torch.randint(1000, VOCAB, ids.shape, generator=self.g)[rand]
        return {"input_ids": ids, "attention_mask": attn, "labels": labels}


class MemoryCallback(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kw):
        if logs:
            keep = {k: round(v, 4) for k, v in logs.items() if isinstance(v, float) and "loss" in k}
            print(f"step {state.global_step} {keep} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    set_seed(0)
    config = BertConfig(vocab_size=VOCAB, hidden_size=512, num_hidden_layers=6, num_attention_heads=8,
                        intermediate_size=2048, max_position_embeddings=512)
    model = BertForMaskedLM(config)
    print("parameters:", model.num_parameters())
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=BATCH, per_device_eval_batch_size=8, max_steps=STEPS,
            learning_rate=1e-4, weight_decay=0.01, warmup_steps=2, lr_scheduler_type="linear", bf16=True,
            logging_steps=2, eval_strategy="steps", eval_steps=3, save_strategy="no", report_to=[],
            prediction_loss_only=True, disable_tqdm=True, remove_unused_columns=False, seed=0)
        trainer = Trainer(model=model, args=args, data_collator=MLMCollator(),
                          train_dataset=SyntheticText(BATCH * STEPS, 0), eval_dataset=SyntheticText(16, 1),
                          callbacks=[MemoryCallback()])
        result = trainer.train()
        print("train loss", round(result.training_loss, 4))
        trainer.save_model(out)


if __name__ == "__main__":
    main()
