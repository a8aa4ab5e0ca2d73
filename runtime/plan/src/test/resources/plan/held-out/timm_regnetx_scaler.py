import torch, timm
torch.manual_seed(0)
model = timm.create_model("regnetx_008", pretrained=False).cuda().train()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    x = torch.randn(32, 3, 192, 192, device="cuda"); y = torch.randint(0, 1000, (32,), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); scaler.scale(loss).backward(); scaler.step(opt); scaler.update()
