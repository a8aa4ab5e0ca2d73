import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.resnet18(weights=None).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for step in range(2):
    x, y = torch.randn(64, 3, 224, 224, device="cuda"), torch.randint(0, 1000, (64,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y); optimizer.zero_grad(); loss.backward(); optimizer.step()
