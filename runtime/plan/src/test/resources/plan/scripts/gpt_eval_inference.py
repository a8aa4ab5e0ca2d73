import torch
from models import GPT
model = GPT(vocab=32000, d=1024, layers=8, heads=16, ctx=1024).cuda().eval()
for dtype in (torch.float32, torch.float16):
    model = model.to(dtype)
    with torch.inference_mode():
        out = model(torch.randint(0, 32000, (8, 1024), device="cuda"))
    print(out.shape)
