import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision

torch.manual_seed(0)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(inplace=True), nn.Linear(h, o))


backbone = torchvision.models.resnet50(weights=None)
backbone.fc = mlp(2048, 1024, 256)
online, predictor = backbone.cuda(), mlp(256, 1024, 256).cuda()
target = copy.deepcopy(online)
for p in target.parameters():
    p.requires_grad = False
opt = torch.optim.SGD([*online.parameters(), *predictor.parameters()], lr=0.05, momentum=0.9, weight_decay=1e-4)
for _ in range(3):
    x = torch.rand(16, 3, 128, 128, device="cuda")
    a = x.flip(3) + 0.05 * torch.randn_like(x)
    b = x * (0.6 + 0.8 * torch.rand(16, 1, 1, 1, device="cuda"))
    with torch.autocast("cuda", dtype=torch.bfloat16):
        p1, p2 = predictor(online(a)), predictor(online(b))
        with torch.no_grad():
            t1, t2 = target(a), target(b)
        loss = 4 - 2 * F.cosine_similarity(p1.float(), t2.float(), dim=-1).mean() - 2 * F.cosine_similarity(p2.float(), t1.float(), dim=-1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        torch._foreach_mul_(list(target.parameters()), 0.99)
        torch._foreach_add_(list(target.parameters()), list(online.parameters()), alpha=0.01)
