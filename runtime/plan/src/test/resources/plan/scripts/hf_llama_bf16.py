import torch
from transformers import LlamaConfig, LlamaForCausalLM
cfg = LlamaConfig(hidden_size=1024, intermediate_size=2816, num_hidden_layers=6, num_attention_heads=16, num_key_value_heads=4, vocab_size=32000, max_position_embeddings=1024)
model = LlamaForCausalLM(cfg).to("cuda", torch.bfloat16); model.gradient_checkpointing_enable(); model.config.use_cache = False; model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(2):
    ids = torch.randint(0, 32000, (2, 1024), device="cuda"); loss = model(input_ids=ids, labels=ids).loss; loss.backward(); optimizer.step(); optimizer.zero_grad()
