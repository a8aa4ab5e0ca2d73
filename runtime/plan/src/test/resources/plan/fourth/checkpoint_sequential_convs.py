import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint_sequential
torch.manual_seed(0)
block = lambda a, b, s: nn.Sequential(nn.Conv2d(a, b, 3, s, 1, bias=False), nn.BatchNorm2d(b), nn.SiLU())
net = nn.Sequential(block(3, 48, 2), block(48, 48, 1), block(48, 96, 2), block(96, 96, 1), block(96, 192, 2), block(192, 192, 1)).cuda()
head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(192, 30)).cuda()
opt = torch.optim.Adamax([*net.parameters(), *head.parameters()], lr=2e-3)
for step in range(3):
    x, y = torch.randn(16, 3, 128, 128, device="cuda"), torch.randint(0, 30, (16,), device="cuda")
    h = checkpoint_sequential(net, 3, x, use_reentrant=False)
    loss = nn.functional.cross_entropy(head(h), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
