import tempfile

import torch
from torch.utils.data import Dataset
from transformers import Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config, T5ForConditionalGeneration


class Pairs(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return {"input_ids": torch.randint(2, 6000, (128,), generator=g), "attention_mask": torch.ones(128, dtype=torch.long),
                "labels": torch.randint(2, 6000, (40,), generator=g)}


torch.manual_seed(0)
model = T5ForConditionalGeneration(T5Config(vocab_size=6000, d_model=256, d_kv=32, d_ff=1024, num_layers=4, num_heads=8, decoder_start_token_id=0, feed_forward_proj="gated-gelu"))
arguments = Seq2SeqTrainingArguments(output_dir=tempfile.mkdtemp(), per_device_train_batch_size=8, per_device_eval_batch_size=16, gradient_accumulation_steps=2, max_steps=3,
                                     learning_rate=3e-4, bf16=True, eval_strategy="steps", eval_steps=2, save_strategy="no", report_to=[], optim="adafactor")
Seq2SeqTrainer(model=model, args=arguments, train_dataset=Pairs(64), eval_dataset=Pairs(32)).train()
