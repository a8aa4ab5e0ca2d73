import torch
from models import GPT
torch.set_default_device("cuda")
model = GPT(vocab=8000, d=512, layers=4, heads=8, ctx=256); optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
for step in range(2):
    for micro in range(4):
        x, y = torch.randint(0, 8000, (8, 256)), torch.randint(0, 8000, (8, 256))
        logits, loss = model(x, y); (loss / 4).backward()
    optimizer.step(); optimizer.zero_grad()
