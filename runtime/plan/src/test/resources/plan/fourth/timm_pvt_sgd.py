import timm, torch
torch.manual_seed(0)
model = timm.create_model("pvt_v2_b0", num_classes=37).cuda().train()
opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
for step in range(3):
    x, y = torch.randn(14, 3, 224, 224, device="cuda"), torch.randint(0, 37, (14,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
