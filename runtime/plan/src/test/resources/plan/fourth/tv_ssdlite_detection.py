import torch
from torchvision.models.detection import ssdlite320_mobilenet_v3_large
torch.manual_seed(0)
model = ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=12).cuda().train()
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=4e-5)
for step in range(3):
    images = [torch.rand(3, 320, 320, device="cuda") for _ in range(6)]
    corner = [torch.rand(4, 2, device="cuda") * 150 for _ in images]
    targets = [{"boxes": torch.cat([c, c + 80], 1), "labels": torch.randint(1, 12, (4,), device="cuda")} for c in corner]
    loss = sum(model(images, targets).values())
    opt.zero_grad()
    loss.backward()
    opt.step()
