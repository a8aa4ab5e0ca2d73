import timm, torch
torch.manual_seed(0)
model = timm.create_model("hrnet_w18_small", pretrained=False, num_classes=40).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
for step in range(2):
    x, y = torch.randn(12, 3, 192, 192, device="cuda"), torch.randint(0, 40, (12,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
