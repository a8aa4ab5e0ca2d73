import torch
from transformers import Qwen2Config, Qwen2ForCausalLM
from peft import LoraConfig, get_peft_model
torch.manual_seed(0)
model = Qwen2ForCausalLM(Qwen2Config(hidden_size=640, intermediate_size=1728, num_hidden_layers=6, num_attention_heads=10, num_key_value_heads=2, vocab_size=20000)).to("cuda", torch.bfloat16)
model = get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=["q_proj", "v_proj"], lora_dropout=0.05))
model.train()
opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
for step in range(3):
    ids = torch.randint(0, 20000, (4, 256), device="cuda")
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward(); opt.step(); opt.zero_grad()
