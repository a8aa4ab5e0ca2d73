import torch
from models import GPT
model = GPT(vocab=16000, d=1024, layers=4, heads=16, ctx=512, tie=False).to(device="cuda", dtype=torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(3):
    x, y = torch.randint(0, 16000, (4, 512), device="cuda"), torch.randint(0, 16000, (4, 512), device="cuda")
    logits, loss = model(x, y); loss.backward(); optimizer.step(); optimizer.zero_grad()
