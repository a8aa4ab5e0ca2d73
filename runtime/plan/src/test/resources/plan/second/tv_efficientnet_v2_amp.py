import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.efficientnet_v2_s(weights=None, num_classes=200).cuda()
opt = torch.optim.RMSprop(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-5)
scaler = torch.amp.GradScaler()
crit = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
for step in range(3):
    x = torch.randn(24, 3, 192, 192, device="cuda")
    y = torch.randint(0, 200, (24,), device="cuda")
    opt.zero_grad(set_to_none=True)
    with torch.autocast("cuda", dtype=torch.float16):
        loss = crit(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
