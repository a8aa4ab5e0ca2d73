import torch
import torch.nn as nn


class PointNet(nn.Module):
    def __init__(self, classes=40):
        super().__init__()
        conv = lambda a, b: nn.Sequential(nn.Conv1d(a, b, 1), nn.BatchNorm1d(b), nn.ReLU(inplace=True))
        self.t = nn.Sequential(conv(3, 64), conv(64, 128), conv(128, 512))
        self.tf = nn.Sequential(nn.Linear(512, 256), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 9))
        self.f = nn.Sequential(conv(3, 64), conv(64, 128), conv(128, 1024))
        self.head = nn.Sequential(nn.Linear(1024, 512), nn.BatchNorm1d(512), nn.ReLU(), nn.Dropout(0.4), nn.Linear(512, classes))

    def forward(self, x):
        turn = self.tf(self.t(x).max(2)[0]).view(-1, 3, 3) + torch.eye(3, device=x.device)
        h = self.f(torch.bmm(x.transpose(1, 2), turn).transpose(1, 2))
        return self.head(h.max(2)[0]), turn


torch.manual_seed(0)
model = PointNet().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10)
for step in range(3):
    x, y = torch.randn(24, 3, 600, device="cuda"), torch.randint(0, 40, (24,), device="cuda")
    logits, turn = model(x)
    orthogonal = (torch.bmm(turn, turn.transpose(1, 2)) - torch.eye(3, device="cuda")).norm(dim=(1, 2)).mean()
    loss = nn.functional.cross_entropy(logits, y) + 0.001 * orthogonal
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step()
