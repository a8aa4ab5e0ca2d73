import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.swin_v2_t(weights=None, num_classes=20).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for epoch in range(2):
    model.train()
    for step in range(2):
        x, y = torch.randn(8, 3, 256, 256, device="cuda"), torch.randint(0, 20, (8,), device="cuda")
        loss = torch.nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        x = torch.randn(32, 3, 256, 256, device="cuda")
        print(model(x).argmax(1).float().mean().item())
