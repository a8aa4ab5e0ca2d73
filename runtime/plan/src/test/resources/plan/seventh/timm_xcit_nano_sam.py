import timm, torch
torch.manual_seed(0)
model = timm.create_model("xcit_nano_12_p16_224", num_classes=100).cuda().train()
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
loss_of = torch.nn.CrossEntropyLoss()
for step in range(2):
    x, y = torch.randn(16, 3, 224, 224, device="cuda"), torch.randint(0, 100, (16,), device="cuda")
    loss_of(model(x), y).backward()
    with torch.no_grad():
        norm = torch.stack([p.grad.norm() for p in model.parameters() if p.grad is not None]).norm()
        moves = [(p, p.grad * (0.05 / (norm + 1e-12))) for p in model.parameters() if p.grad is not None]
        for p, e in moves:
            p.add_(e)
    opt.zero_grad()
    loss_of(model(x), y).backward()
    with torch.no_grad():
        for p, e in moves:
            p.sub_(e)
    opt.step()
    opt.zero_grad()
