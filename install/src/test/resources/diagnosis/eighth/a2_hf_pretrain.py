# limit: 4.5
# "Trainer: batch size 2, sequence length 128, GPT-2 medium size. OOM at step 0"
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

set_seed(15)


class RandomTokens(Dataset):
    def __init__(self, n, length, vocab):
        g = torch.Generator().manual_seed(0)
        self.ids = torch.randint(0, vocab, (n, length), generator=g)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "labels": self.ids[i]}


def main():
    config = GPT2Config(n_embd=1024, n_layer=24, n_head=16, use_cache=False)
    with torch.device("cuda"):
        model = GPT2LMHeadModel(config)
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f}M parameters")
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            per_device_train_batch_size=2,
            max_steps=4,
            learning_rate=1e-4,
            optim="adamw_torch",
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            dataloader_pin_memory=False,
            disable_tqdm=True,
        )
        trainer = Trainer(model=model, args=args, train_dataset=RandomTokens(64, 128, config.vocab_size))
        trainer.train()


if __name__ == "__main__":
    main()
