import torch, torch.nn as nn
torch.manual_seed(0)
class Layer(nn.Module):
    def __init__(s, c, d):
        super().__init__(); s.conv = nn.Conv1d(c, c, 3, padding=d, dilation=d); s.norm = nn.BatchNorm1d(c); s.drop = nn.Dropout(0.1)
    def forward(s, x): return x + s.drop(torch.relu(s.norm(s.conv(x))))
model = nn.Sequential(nn.Conv1d(40, 96, 5, padding=2), *[Layer(96, 2 ** i) for i in range(6)], nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(96, 12)).cuda()
opt = torch.optim.NAdam(model.parameters(), lr=1e-3)
for step in range(3):
    x = torch.randn(32, 40, 1600, device="cuda"); y = torch.randint(0, 12, (32,), device="cuda")
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
