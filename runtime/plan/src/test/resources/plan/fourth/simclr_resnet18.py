import torch, torchvision
import torch.nn as nn
import torch.nn.functional as F


class SimClr(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.resnet18(weights=None)
        self.net.conv1, self.net.maxpool = nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.Identity()
        self.net.fc = nn.Sequential(nn.Linear(512, 512), nn.ReLU(inplace=True), nn.Linear(512, 128))

    def forward(self, a, b):
        z = F.normalize(torch.cat([self.net(a), self.net(b)]), dim=1)
        alike = z @ z.T / 0.2
        alike.fill_diagonal_(float("-inf"))
        n = a.shape[0]
        return F.cross_entropy(alike, torch.arange(2 * n, device=z.device).roll(n))


torch.manual_seed(0)
model = SimClr().cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.06, momentum=0.9, weight_decay=5e-4, foreach=False)
for step in range(3):
    x = torch.rand(40, 3, 32, 32, device="cuda")
    loss = model(x + 0.1 * torch.randn_like(x), x.flip(3))
    opt.zero_grad()
    loss.backward()
    opt.step()
