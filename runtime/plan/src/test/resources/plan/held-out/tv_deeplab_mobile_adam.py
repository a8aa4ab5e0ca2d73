import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.segmentation.deeplabv3_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=12).cuda().train()
opt = torch.optim.Adam(model.parameters(), lr=1e-4)
for step in range(2):
    x = torch.randn(4, 3, 240, 320, device="cuda"); y = torch.randint(0, 12, (4, 240, 320), device="cuda")
    out = model(x)["out"]
    loss = torch.nn.functional.cross_entropy(out, y)
    opt.zero_grad(); loss.backward(); opt.step()
