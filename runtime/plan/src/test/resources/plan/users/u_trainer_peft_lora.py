import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments
torch.manual_seed(0)
config = LlamaConfig(vocab_size=12000, hidden_size=768, intermediate_size=2048, num_hidden_layers=6, num_attention_heads=12, num_key_value_heads=4)
model = LlamaForCausalLM._from_config(config, dtype=torch.bfloat16)
model = get_peft_model(model, LoraConfig(task_type=TaskType.CAUSAL_LM, r=8, lora_alpha=16, lora_dropout=0.05, target_modules=["q_proj", "v_proj"]))
model.print_trainable_parameters()


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, i):
        ids = torch.randint(0, 12000, (384,))
        return dict(input_ids=ids, labels=ids.clone(), attention_mask=torch.ones_like(ids))


args = TrainingArguments("/tmp/out-lora", per_device_train_batch_size=4, gradient_accumulation_steps=4, max_steps=2, learning_rate=2e-4, bf16=True,
                         logging_steps=1, save_strategy="no", report_to=[], remove_unused_columns=False)
Trainer(model=model, args=args, train_dataset=Data()).train()
