import torch, torch.nn.functional as F
from models import UNet
model = UNet(64).cuda(); optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
for step in range(3):
    x0 = torch.randn(16, 3, 64, 64, device="cuda"); t = torch.rand(16, 1, 1, 1, device="cuda"); noise = torch.randn_like(x0)
    loss = F.mse_loss(model(x0 * (1 - t) + noise * t), noise); optimizer.zero_grad(); loss.backward(); optimizer.step()
