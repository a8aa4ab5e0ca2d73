import timm, torch
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
net = timm.create_model("efficientnet_b0", num_classes=100).cuda().to(memory_format=torch.channels_last)
opt = torch.optim.RMSprop(net.parameters(), 1e-3)
for i in range(3):
    x = torch.randn(48, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last); y = torch.randint(0, 100, (48,), device="cuda")
    with torch.autocast("cuda", torch.bfloat16): loss = torch.nn.functional.cross_entropy(net(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
