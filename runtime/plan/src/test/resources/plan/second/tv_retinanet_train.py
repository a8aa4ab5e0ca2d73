import torch, torchvision
torch.manual_seed(0)
model = torchvision.models.detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None, num_classes=10, min_size=256, max_size=320).cuda().train()
opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=5e-3, momentum=0.9)
for step in range(2):
    images = [torch.rand(3, 256, 320, device="cuda") for _ in range(2)]
    targets = [{"boxes": torch.tensor([[10.0, 20.0, 120.0, 160.0], [40.0, 30.0, 200.0, 220.0]], device="cuda"), "labels": torch.tensor([1, 4], device="cuda")} for _ in range(2)]
    losses = model(images, targets)
    loss = sum(losses.values())
    opt.zero_grad()
    loss.backward()
    opt.step()
