import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.inception_v3(weights=None, num_classes=50, init_weights=False).cuda().train()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(2):
    x, y = torch.randn(12, 3, 299, 299, device="cuda"), torch.randint(0, 50, (12,), device="cuda")
    out = model(x)
    loss = torch.nn.functional.cross_entropy(out.logits, y) + 0.4 * torch.nn.functional.cross_entropy(out.aux_logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
