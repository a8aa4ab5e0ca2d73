import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.mnasnet1_0(weights=None, num_classes=80).cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
for step in range(3):
    x, y = torch.randn(32, 3, 160, 160, device="cuda"), torch.randint(0, 80, (32,), device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
