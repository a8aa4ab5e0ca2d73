import torch
from models import GPT
model = GPT(sdpa=False).cuda(); optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
for step in range(3):
    x = torch.randint(0, 5000, (8, 257), device="cuda")
    logits, loss = model(x[:, :-1], x[:, 1:]); loss.backward(); optimizer.step(); optimizer.zero_grad()
