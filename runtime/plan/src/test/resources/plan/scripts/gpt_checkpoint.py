import torch
from models import GPT
model = GPT(vocab=8000, d=512, layers=8, heads=8, ctx=512, checkpoint=True).cuda(); optimizer = torch.optim.AdamW(model.parameters())
for step in range(2):
    x, y = torch.randint(0, 8000, (8, 512), device="cuda"), torch.randint(0, 8000, (8, 512), device="cuda")
    logits, loss = model(x, y); loss.backward(); optimizer.step(); optimizer.zero_grad()
