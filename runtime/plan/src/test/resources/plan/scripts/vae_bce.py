import torch, torch.nn.functional as F
from models import VAE
model = VAE().cuda(); optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(4):
    x = torch.rand(4096, 784, device="cuda"); r, mu, lv = model(x)
    loss = F.binary_cross_entropy(r, x, reduction="sum") - 0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp())
    optimizer.zero_grad(); loss.backward(); optimizer.step()
