import torch
from transformers import GemmaConfig, GemmaForCausalLM
torch.manual_seed(0)
config = GemmaConfig(hidden_size=640, intermediate_size=2560, num_hidden_layers=6, num_attention_heads=10, num_key_value_heads=2, head_dim=64, vocab_size=32000)
model = GemmaForCausalLM(config).to(device="cuda", dtype=torch.bfloat16)
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(3):
    ids = torch.randint(0, 32000, (4, 512), device="cuda")
    out = model(input_ids=ids, labels=ids)
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
