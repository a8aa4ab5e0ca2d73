import torch
from transformers import GPTBigCodeConfig, GPTBigCodeForCausalLM
torch.manual_seed(0)
model = GPTBigCodeForCausalLM(GPTBigCodeConfig(vocab_size=18000, n_positions=1024, n_embd=768, n_layer=8, n_head=12)).half().cuda().eval()
total = 0.0
with torch.no_grad():
    for begin in range(0, 4):
        ids = torch.randint(0, 18000, (2, 768), device="cuda")
        total += model(input_ids=ids, labels=ids).loss.float().item()
print(total)
