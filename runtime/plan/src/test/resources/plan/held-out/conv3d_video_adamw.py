import torch, torch.nn as nn
torch.manual_seed(0)
def block(i, o, s): return nn.Sequential(nn.Conv3d(i, o, 3, stride=s, padding=1, bias=False), nn.BatchNorm3d(o), nn.ReLU(inplace=True))
model = nn.Sequential(block(3, 24, (1, 2, 2)), block(24, 48, 2), block(48, 96, 2), block(96, 128, 1), nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(128, 20)).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(2):
    x = torch.randn(6, 3, 16, 96, 96, device="cuda"); y = torch.randint(0, 20, (6,), device="cuda")
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
    acc = (model(x).argmax(1) == y).float().mean() if step == 1 else None
