import timm, torch
from timm.utils import adaptive_clip_grad
torch.manual_seed(0)
model = timm.create_model("eca_nfnet_l0", num_classes=37).cuda().train()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=2e-5)
for step in range(2):
    x, y = torch.randn(12, 3, 192, 192, device="cuda"), torch.randint(0, 37, (12,), device="cuda")
    loss = torch.nn.functional.cross_entropy(model(x), y, label_smoothing=0.1)
    opt.zero_grad()
    loss.backward()
    adaptive_clip_grad(model.parameters(), 0.01)
    opt.step()
