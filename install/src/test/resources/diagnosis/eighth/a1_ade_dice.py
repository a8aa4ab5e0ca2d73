# limit: 2
"""Semantic segmentation with a soft dice loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(17)
CLASSES = 150
device = "cuda"

net = nn.Sequential(
    nn.Conv2d(3, 16, 3, stride=4, padding=1), nn.ReLU(),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
    nn.Conv2d(32, CLASSES, 1)).to(device)


def dice_loss(logits, target, eps=1.0):
    prob = logits.softmax(1)
    onehot = F.one_hot(target, CLASSES)
    onehot = onehot.permute(0, 3, 1, 2)
    inter = (prob * onehot).sum((0, 2, 3))
    denom = prob.sum((0, 2, 3)) + onehot.sum((0, 2, 3))
    return 1 - ((2 * inter + eps) / (denom + eps)).mean()


opt = torch.optim.AdamW(net.parameters(), lr=3e-4)
for step in range(20):
    image = torch.rand(4, 3, 512, 512, device=device)
    label = torch.randint(0, CLASSES, (4, 512, 512), device=device)
    out = F.interpolate(net(image), size=label.shape[1:], mode="nearest")
    loss = dice_loss(out, label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{step:3d} dice {loss.item():.4f}")
