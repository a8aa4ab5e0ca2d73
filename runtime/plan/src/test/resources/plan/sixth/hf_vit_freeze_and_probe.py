import torch
from transformers import ViTConfig, ViTForImageClassification
torch.manual_seed(0)
model = ViTForImageClassification(ViTConfig(hidden_size=384, num_hidden_layers=8, num_attention_heads=6, intermediate_size=1536, num_labels=12)).cuda()
for p in model.vit.parameters():
    p.requires_grad = False
for p in model.vit.layers[-2:].parameters() if hasattr(model.vit, "layers") else model.vit.encoder.layer[-2:].parameters():
    p.requires_grad = True
opt = torch.optim.NAdam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
for step in range(3):
    x, y = torch.randn(20, 3, 224, 224, device="cuda"), torch.randint(0, 12, (20,), device="cuda")
    loss = model(pixel_values=x, labels=y).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
