import torch
from transformers import GPT2Config, GPT2LMHeadModel
torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(n_embd=768, n_layer=8, n_head=12, vocab_size=30000)).to(dtype=torch.bfloat16, device="cuda").eval()
ids = torch.randint(0, 30000, (6, 100), device="cuda")
with torch.no_grad():
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=40, do_sample=True, top_k=50, pad_token_id=0, eos_token_id=None)
print(out.shape)
