import timm, torch
torch.manual_seed(0)
model = timm.create_model("edgenext_xx_small", num_classes=30).cuda()
opt, scaler = torch.optim.RMSprop(model.parameters(), lr=1e-3, momentum=0.9), torch.amp.GradScaler()
for epoch in range(2):
    model.train()
    for step in range(2):
        x, y = torch.randn(24, 3, 160, 160, device="cuda"), torch.randint(0, 30, (24,), device="cuda")
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = torch.nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
    model.eval()
    with torch.inference_mode():
        print(model(torch.randn(48, 3, 160, 160, device="cuda")).softmax(1).amax().item())
