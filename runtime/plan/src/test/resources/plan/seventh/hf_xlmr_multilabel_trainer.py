import torch
from transformers import Trainer, TrainingArguments, XLMRobertaConfig, XLMRobertaForSequenceClassification
torch.manual_seed(0)
config = XLMRobertaConfig(vocab_size=30000, hidden_size=384, num_hidden_layers=4, num_attention_heads=6, intermediate_size=1536, num_labels=9, problem_type="multi_label_classification", max_position_embeddings=200)
model = XLMRobertaForSequenceClassification(config)


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 72

    def __getitem__(self, i):
        return {"input_ids": torch.randint(2, 30000, (160,)), "attention_mask": torch.ones(160, dtype=torch.long), "labels": torch.randint(0, 2, (9,)).float()}


args = TrainingArguments("/tmp/out-xlmr", per_device_train_batch_size=12, max_steps=4, optim="adafactor", learning_rate=1e-3, fp16=True, label_smoothing_factor=0.0,
                         logging_steps=2, save_strategy="no", report_to=[], dataloader_num_workers=1)
trainer = Trainer(model=model, args=args, train_dataset=Data(), eval_dataset=Data())
trainer.train()
print(sorted(trainer.predict(Data()).metrics))
