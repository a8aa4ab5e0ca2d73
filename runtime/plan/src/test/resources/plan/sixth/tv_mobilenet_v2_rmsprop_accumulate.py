import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.mobilenet_v2(weights=None, num_classes=50).to("cuda").train()
opt = torch.optim.RMSprop(model.parameters(), lr=0.01, momentum=0.9, alpha=0.9, eps=1e-3)
for step in range(2):
    for part in range(3):
        x, y = torch.randn(16, 3, 160, 160).to("cuda"), torch.randint(0, 50, (16,)).to("cuda")
        loss = torch.nn.functional.cross_entropy(model(x), y) / 3
        loss.backward()
    opt.step()
    opt.zero_grad(set_to_none=False)
