import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.shufflenet_v2_x1_0(weights=None, num_classes=200).cuda().train()
opt = torch.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.9)
for step in range(3):
    x = torch.randn(48, 3, 144, 144, device="cuda"); y = torch.randint(0, 200, (48,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y, label_smoothing=0.1)
    opt.zero_grad(); loss.backward(); opt.step()
