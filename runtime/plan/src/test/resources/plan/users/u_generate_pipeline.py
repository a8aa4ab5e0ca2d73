import torch
from transformers import LlamaConfig, LlamaForCausalLM
torch.manual_seed(0)
device = "cuda"
model = LlamaForCausalLM(LlamaConfig(vocab_size=20000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=8, num_attention_heads=16, num_key_value_heads=8)).to(device, torch.float16).eval()
prompts = torch.randint(3, 20000, (4, 64), device=device)
mask = torch.ones_like(prompts)
mask[0, :10] = 0
out = model.generate(input_ids=prompts, attention_mask=mask, max_new_tokens=48, do_sample=True, temperature=0.8, top_p=0.9, pad_token_id=2)
for row in out:
    print(row[-5:].tolist())
print(f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")
out = model.generate(input_ids=prompts[:1], num_beams=4, max_new_tokens=24, early_stopping=True, pad_token_id=2)
print(out.shape, torch.cuda.memory_summary()[:0])
