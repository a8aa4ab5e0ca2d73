import torch
from accelerate import Accelerator
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader, TensorDataset
from transformers import Qwen2Config, Qwen2ForCausalLM

torch.manual_seed(0)
accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=2)
model = Qwen2ForCausalLM(Qwen2Config(vocab_size=12000, hidden_size=448, intermediate_size=1792, num_hidden_layers=4, num_attention_heads=7, num_key_value_heads=1))
model = get_peft_model(model, LoraConfig(r=16, lora_alpha=32, use_dora=True, target_modules=["q_proj", "v_proj", "up_proj", "down_proj"], task_type="CAUSAL_LM"))
data = DataLoader(TensorDataset(torch.randint(0, 12000, (32, 256))), batch_size=4, shuffle=True)
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
model, opt, data = accelerator.prepare(model, opt, data)
model.train()
for (ids,) in data:
    with accelerator.accumulate(model):
        loss = model(input_ids=ids, labels=ids).loss
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad()
