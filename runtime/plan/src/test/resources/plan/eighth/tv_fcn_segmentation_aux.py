import torch
import torch.nn.functional as F
from torchvision.models.segmentation import fcn_resnet50

model = fcn_resnet50(weights=None, weights_backbone=None, num_classes=21, aux_loss=True).cuda()
groups = [{"params": model.backbone.parameters()}, {"params": model.classifier.parameters()}, {"params": model.aux_classifier.parameters(), "lr": 0.1}]
opt = torch.optim.SGD(groups, lr=0.01, momentum=0.9, weight_decay=1e-4)
poly = torch.optim.lr_scheduler.PolynomialLR(opt, 100, power=0.9)


def criterion(out, target):
    losses = {k: F.cross_entropy(v, target, ignore_index=255) for k, v in out.items()}
    return losses["out"] + 0.5 * losses["aux"]


confusion = torch.zeros(21, 21, dtype=torch.int64, device="cuda")
model.train()
for _ in range(3):
    image = torch.randn(4, 3, 224, 224, device="cuda")
    target = torch.randint(0, 21, (4, 224, 224), device="cuda")
    loss = criterion(model(image), target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    poly.step()
model.eval()
with torch.inference_mode():
    for _ in range(2):
        image = torch.randn(4, 3, 224, 224, device="cuda")
        target = torch.randint(0, 21, (4, 224, 224), device="cuda")
        guess = model(image)["out"].argmax(1)
        confusion += torch.bincount(21 * target.flatten() + guess.flatten(), minlength=21 * 21).reshape(21, 21)
iou = confusion.diag().float() / (confusion.sum(0) + confusion.sum(1) - confusion.diag()).float()
print(iou.mean().item())
