# limit: 2
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMA:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def network(d=2048):
    return nn.Sequential(nn.Linear(784, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU(), nn.Linear(d, 10))


student = network().cuda()
ema = EMA(student)
opt = torch.optim.AdamW(student.parameters(), lr=1e-3)
log = []

for step in range(120):
    labelled = torch.rand(128, 784, device="cuda")
    y = torch.randint(0, 10, (128,), device="cuda")
    unlabelled = torch.rand(512, 784, device="cuda")
    with torch.no_grad():
        target = ema.shadow(unlabelled + 0.05 * torch.randn_like(unlabelled)).softmax(-1)
    consistency = F.mse_loss(student(unlabelled).softmax(-1), target)
    loss = F.cross_entropy(student(labelled), y) + 10 * consistency
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(student)
    log.append((loss.item(), consistency.item()))

print("last", log[-1])
