# limit: 4
"""BYOL on random crops."""
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18

torch.manual_seed(0)
dev = "cuda"
online = nn.Sequential(resnet18(weights=None, num_classes=256), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 128)).to(dev)
predictor = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 128)).to(dev)
target = copy.deepcopy(online)
for p in target.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(list(online.parameters()) + list(predictor.parameters()), lr=3e-4)


def regression(p, z):
    return 2 - 2 * (F.normalize(p, dim=1) * F.normalize(z, dim=1)).sum(1).mean()


losses = []
for step in range(60):
    img = torch.rand(64, 3, 96, 96, device=dev)
    v1, v2 = img + 0.1 * torch.randn_like(img), img.flip(3)
    with torch.no_grad():
        z1, z2 = target(v1), target(v2)
    loss = regression(predictor(online(v1)), z2) + regression(predictor(online(v2)), z1)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, b in zip(online.parameters(), target.parameters()):
            b.lerp_(a, 0.01)
    losses.append(loss.detach())
print(torch.stack(losses).mean().item())
