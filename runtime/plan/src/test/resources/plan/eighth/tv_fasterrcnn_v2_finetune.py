import torch
from torchvision.models.detection import fasterrcnn_resnet50_fpn_v2
from torchvision.models.detection.faster_rcnn import FastRCNNPredictor

torch.manual_seed(0)
device = torch.device("cuda")
model = fasterrcnn_resnet50_fpn_v2(weights=None, weights_backbone=None, trainable_backbone_layers=3)
model.roi_heads.box_predictor = FastRCNNPredictor(model.roi_heads.box_predictor.cls_score.in_features, 3)
model.to(device)


def batch(n):
    images = [torch.rand(3, 360, 480, device=device) for _ in range(n)]
    targets = []
    for i in range(n):
        corner = torch.rand(4, 2, device=device) * 200
        targets.append({"boxes": torch.cat([corner, corner + 60 + 10 * i], 1), "labels": torch.tensor([1, 2, 1, 2], device=device)})
    return images, targets


parameters = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(parameters, lr=0.002, momentum=0.9, weight_decay=5e-4)
warmup = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)
model.train()
for step in range(3):
    images, targets = batch(2)
    losses = model(images, targets)
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    warmup.step()
