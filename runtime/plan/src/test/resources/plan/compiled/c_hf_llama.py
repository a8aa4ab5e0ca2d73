"""A small Llama of transformers, its parameters in bfloat16, compiled in place and trained on its own loss."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(vocab_size=16000, hidden_size=512, intermediate_size=1408, num_hidden_layers=6, num_attention_heads=8, num_key_value_heads=4,
                     max_position_embeddings=1024, use_cache=False)
model = LlamaForCausalLM(config).to("cuda", dtype=torch.bfloat16)
model.compile()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
model.train()
for step in range(4):
    ids = torch.randint(0, 16000, (4, 768), device="cuda")
    loss = model(input_ids=ids, labels=ids).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
