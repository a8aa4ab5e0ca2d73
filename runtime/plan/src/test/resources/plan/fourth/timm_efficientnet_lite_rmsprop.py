import timm, torch
torch.manual_seed(0)
model = timm.create_model("efficientnet_lite0", num_classes=50).cuda().train()
opt = torch.optim.RMSprop(model.parameters(), lr=0.01, alpha=0.9, momentum=0.9, eps=1e-3)
for step in range(3):
    x, y = torch.randn(18, 3, 176, 176, device="cuda"), torch.randint(0, 50, (18,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), 0.5)
    opt.step()
