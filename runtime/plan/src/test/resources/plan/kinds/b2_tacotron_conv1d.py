import torch, torch.nn as nn
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
net = nn.Sequential(nn.Conv1d(80, 512, 5, padding=2), nn.BatchNorm1d(512), nn.Tanh(), nn.Conv1d(512, 512, 5, padding=2), nn.BatchNorm1d(512), nn.Tanh(), nn.Conv1d(512, 80, 5, padding=2)).cuda()
opt = torch.optim.Adam(net.parameters())
for length in (200, 321, 200):
    x = torch.randn(16, 80, length, device="cuda")
    loss = (net(x) - x).square().mean(); opt.zero_grad(); loss.backward(); opt.step()
