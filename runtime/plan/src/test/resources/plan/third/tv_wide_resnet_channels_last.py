import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.wide_resnet50_2(weights=None, num_classes=100).cuda().to(memory_format=torch.channels_last)
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
for step in range(3):
    x, y = torch.randn(12, 3, 192, 192, device="cuda").to(memory_format=torch.channels_last), torch.randint(0, 100, (12,), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
