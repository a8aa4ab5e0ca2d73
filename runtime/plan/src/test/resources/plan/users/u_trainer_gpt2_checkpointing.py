import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, default_data_collator
torch.manual_seed(0)
data = [{"input_ids": torch.randint(0, 16000, (256,)), "labels": torch.randint(0, 16000, (256,))} for _ in range(64)]
model = GPT2LMHeadModel(GPT2Config(vocab_size=16000, n_embd=512, n_layer=8, n_head=8))
args = TrainingArguments(output_dir="/tmp/out-gpt2", per_device_train_batch_size=8, max_steps=4, fp16=True, gradient_checkpointing=True,
                         optim="adamw_torch_fused", lr_scheduler_type="cosine", max_grad_norm=1.0, logging_steps=1, save_strategy="no", report_to="none")
trainer = Trainer(model=model, args=args, train_dataset=data, data_collator=default_data_collator)
result = trainer.train()
print(result.metrics)
