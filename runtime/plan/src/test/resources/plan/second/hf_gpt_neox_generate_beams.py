import torch
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM
torch.manual_seed(0)
model = GPTNeoXForCausalLM(GPTNeoXConfig(hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048, vocab_size=12000, max_position_embeddings=512)).cuda().half().eval()
ids = torch.randint(10, 12000, (4, 48), device="cuda")
with torch.no_grad():
    model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=16, min_new_tokens=16, num_beams=3, do_sample=False, pad_token_id=0)
