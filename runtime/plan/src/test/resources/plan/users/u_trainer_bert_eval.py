import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed


class Reviews(Dataset):
    def __init__(self, count):
        g = torch.Generator().manual_seed(0)
        self.ids = torch.randint(0, 20000, (count, 128), generator=g)
        self.y = torch.randint(0, 2, (count,), generator=g)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "attention_mask": torch.ones(128, dtype=torch.long), "labels": self.y[i]}


def compute_metrics(p):
    return {"accuracy": float((np.argmax(p.predictions, 1) == p.label_ids).mean())}


set_seed(1)
model = BertForSequenceClassification(BertConfig(vocab_size=20000, hidden_size=384, num_hidden_layers=6, num_attention_heads=6, intermediate_size=1536))
args = TrainingArguments(output_dir="/tmp/out-bert", per_device_train_batch_size=16, per_device_eval_batch_size=32, num_train_epochs=1, learning_rate=5e-5,
                         bf16=True, gradient_accumulation_steps=2, eval_strategy="epoch", save_strategy="no", logging_steps=2, report_to=[],
                         dataloader_num_workers=2, warmup_steps=2, weight_decay=0.01)
trainer = Trainer(model=model, args=args, train_dataset=Reviews(128), eval_dataset=Reviews(64), compute_metrics=compute_metrics)
trainer.train()
print(trainer.evaluate())
