import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.segmentation.fcn_resnet50(weights=None, weights_backbone=None, num_classes=12, aux_loss=True).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=1e-4, amsgrad=True)
for step in range(2):
    x = torch.randn(4, 3, 224, 224, device="cuda")
    y = torch.randint(0, 12, (4, 224, 224), device="cuda")
    out = model(x)
    loss = torch.nn.functional.cross_entropy(out["out"], y) + 0.4 * torch.nn.functional.cross_entropy(out["aux"], y)
    opt.zero_grad()
    loss.backward()
    opt.step()
