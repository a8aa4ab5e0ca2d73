import torch, timm
torch.manual_seed(0)
model = timm.create_model("ghostnet_100", pretrained=False, num_classes=50).cuda().train()
opt = torch.optim.Adagrad(model.parameters(), lr=1e-2)
for step in range(3):
    x = torch.randn(24, 3, 176, 176, device="cuda"); y = torch.randint(0, 50, (24,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
