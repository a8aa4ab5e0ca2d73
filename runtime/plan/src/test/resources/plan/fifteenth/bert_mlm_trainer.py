"""Masked language modelling of a BERT from scratch with the Hugging Face Trainer."""
import math
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForMaskedLM, Trainer, TrainingArguments, TrainerCallback, set_seed

VOCAB = 30522
MASK_ID = 103
SEQ_LEN = 256
N_TRAIN = 128
N_EVAL = 32
BATCH = 16


class TokenBlocks(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        # zipf-like token distribution
        probs = 1.0 / torch.arange(1, VOCAB - 1000 + 1, dtype=torch.float)
        ids = torch.multinomial(probs, n * SEQ_LEN, replacement=True, generator=g) + 1000
        self.blocks = ids.view(n, SEQ_LEN)

    def __len__(self):
        return len(self.blocks)

    def __getitem__(self, i):
        return {"input_ids": self.blocks[i]}


class MLMCollator:
    def __init__(self, prob=0.15):
        self.prob = prob

    def __call__(self, examples):
        input_ids = torch.stack([e["input_ids"] for e in examples])
        labels = input_ids.clone()
        masked = torch.rand(labels.shape) < self.prob
        labels[~masked] = -100
        replace = masked & (torch.rand(labels.shape) < 0.8)
        input_ids[replace] = MASK_ID
        rand = masked & ~replace & (torch.rand(labels.shape) < 0.5)
        input_ids[rand] = torch.randint(VOCAB, (int(rand.sum()),))
        return {"input_ids": input_ids, "attention_mask": torch.ones_like(input_ids), "labels": labels}


class MemoryCallback(TrainerCallback):
    def on_step_end(self, args, state, control, **kwargs):
        if state.global_step in (1, state.max_steps):
            print(f"step {state.global_step}: peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    set_seed(13)
    config = BertConfig(vocab_size=VOCAB, hidden_size=512, num_hidden_layers=6, num_attention_heads=8,
                        intermediate_size=2048, max_position_embeddings=512)
    model = BertForMaskedLM(config)
    print(f"parameters: {model.num_parameters() / 1e6:.1f}M")
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=BATCH,
            per_device_eval_batch_size=BATCH,
            max_steps=6,
            learning_rate=1e-4,
            weight_decay=0.01,
            warmup_steps=2,
            lr_scheduler_type="linear",
            bf16=True,
            logging_steps=2,
            eval_strategy="no",
            save_strategy="no",
            prediction_loss_only=True,
            report_to="none",
            disable_tqdm=True,
            seed=13,
        )
        trainer = Trainer(model=model, args=args, data_collator=MLMCollator(), train_dataset=TokenBlocks(N_TRAIN, 0),
                          eval_dataset=TokenBlocks(N_EVAL, 1), callbacks=[MemoryCallback()])
        result = trainer.train()
        metrics = trainer.evaluate()
        print(f"train loss {result.training_loss:.3f} eval ppl {math.exp(min(metrics['eval_loss'], 20)):.1f}")
        trainer.save_model()


if __name__ == "__main__":
    main()
