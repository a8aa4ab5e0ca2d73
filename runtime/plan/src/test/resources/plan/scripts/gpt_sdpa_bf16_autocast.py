import torch
from models import GPT
model = GPT(vocab=50304, d=768, layers=6, heads=12, ctx=1024, dropout=0.1).cuda(); optimizer = torch.optim.AdamW(model.parameters(), fused=True)
for step in range(2):
    x, y = torch.randint(0, 50304, (4, 1024), device="cuda"), torch.randint(0, 50304, (4, 1024), device="cuda")
    with torch.amp.autocast("cuda", dtype=torch.bfloat16):
        logits, loss = model(x, y)
    loss.backward(); optimizer.step(); optimizer.zero_grad(set_to_none=True)
