import timm, torch
torch.manual_seed(0)
model = timm.create_model("beit_base_patch16_224", pretrained=False, num_classes=20, depth=4).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
for step in range(3):
    x, y = torch.randn(20, 3, 224, 224, device="cuda"), torch.randint(0, 20, (20,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
