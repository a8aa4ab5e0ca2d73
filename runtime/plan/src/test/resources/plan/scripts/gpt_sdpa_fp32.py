import torch
from models import GPT
model = GPT(vocab=10000, ctx=512).cuda(); optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95), weight_decay=0.1)
for step in range(3):
    x, y = torch.randint(0, 10000, (8, 512)).cuda(), torch.randint(0, 10000, (8, 512)).cuda()
    logits, loss = model(x, y); optimizer.zero_grad(); loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0); optimizer.step()
