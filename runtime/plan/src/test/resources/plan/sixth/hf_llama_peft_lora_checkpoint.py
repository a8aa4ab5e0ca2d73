import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM
torch.manual_seed(0)
base = LlamaForCausalLM(LlamaConfig(vocab_size=16000, hidden_size=512, intermediate_size=1408, num_hidden_layers=6, num_attention_heads=8, num_key_value_heads=4)).to(torch.bfloat16).cuda()
base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
base.enable_input_require_grads()
model = get_peft_model(base, LoraConfig(task_type="CAUSAL_LM", r=16, lora_alpha=32, lora_dropout=0.1, target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "up_proj"]))
model.train()
opt = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=2e-4, fused=True)
for step in range(3):
    for part in range(2):
        ids = torch.randint(0, 16000, (2, 512)).cuda()
        (model(input_ids=ids, labels=ids, use_cache=False).loss / 2).backward()
    opt.step()
    opt.zero_grad()
