import torch, timm
model = timm.create_model("regnety_008", pretrained=False, num_classes=100).cuda().train()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(2):
    x, y = torch.randn(32, 3, 224, 224, device="cuda"), torch.randint(0, 100, (32,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y); optimizer.zero_grad(); loss.backward(); optimizer.step()
