import torch
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config(n_layer=6, n_embd=768, n_head=12)).cuda(); optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
for step in range(2):
    ids = torch.randint(0, 50257, (4, 512), device="cuda")
    loss = model(input_ids=ids, labels=ids).loss; loss.backward(); optimizer.step(); optimizer.zero_grad()
