import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.video.r2plus1d_18(weights=None, num_classes=40).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
crit = torch.nn.CrossEntropyLoss()
for step in range(2):
    x = torch.randn(4, 3, 8, 112, 112, device="cuda")
    y = torch.randint(0, 40, (4,), device="cuda")
    opt.zero_grad()
    loss = crit(model(x), y)
    loss.backward()
    opt.step()
