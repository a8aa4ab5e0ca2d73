import torch
from transformers import SwinConfig, SwinForImageClassification
torch.manual_seed(0)
model = SwinForImageClassification(SwinConfig(image_size=224, embed_dim=64, depths=[2, 2, 4, 2], num_heads=[2, 4, 8, 16], num_labels=100)).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
for step in range(3):
    x = torch.randn(16, 3, 224, 224, device="cuda")
    y = torch.randint(0, 100, (16,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        out = model(pixel_values=x, labels=y)
    out.loss.backward()
    opt.step()
    opt.zero_grad()
