import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.resnet50(weights=None).cuda()
optimizer = None
for step in range(2):
    x, y = torch.randn(128, 3, 224, 224, device="cuda"), torch.randint(0, 1000, (128,), device="cuda")
    model.eval()
    with torch.no_grad(): print(model(x).shape)
