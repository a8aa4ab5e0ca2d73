import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.efficientnet_b0(weights=None).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(2):
    x, y = torch.randn(32, 3, 224, 224, device="cuda"), torch.randint(0, 1000, (32,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y); optimizer.zero_grad(); loss.backward(); optimizer.step()
