import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, SWALR
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1024, 1500), nn.BatchNorm1d(1500), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(1500, 1500), nn.BatchNorm1d(1500), nn.Mish(), nn.Linear(1500, 200)).cuda()
averaged = AveragedModel(model)
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-4)
schedule = SWALR(opt, swa_lr=0.01)
lossf = nn.CrossEntropyLoss(label_smoothing=0.1)
for step in range(4):
    x, y = torch.randn(3000, 1024, device="cuda"), torch.randint(0, 200, (3000,), device="cuda")
    lossf(model(x), y).backward()
    with torch.no_grad():
        norm = torch.stack([(p.abs() * p.grad).norm() for p in model.parameters()]).norm()
        moves = []
        for p in model.parameters():
            e = p.square() * p.grad * (0.5 / (norm + 1e-12))
            p.add_(e)
            moves.append(e)
    opt.zero_grad()
    lossf(model(x), y).backward()
    with torch.no_grad():
        for p, e in zip(model.parameters(), moves):
            p.sub_(e)
    opt.step()
    opt.zero_grad()
    averaged.update_parameters(model)
    schedule.step()
torch.optim.swa_utils.update_bn([torch.randn(3000, 1024, device="cuda") for _ in range(2)], averaged, device="cuda")
