import torch, torch.nn as nn
D = nn.Sequential(nn.Linear(784, 1024), nn.LeakyReLU(0.2), nn.Linear(1024, 1024), nn.LeakyReLU(0.2), nn.Linear(1024, 1)).cuda(); o = torch.optim.Adam(D.parameters(), lr=1e-4)
for step in range(3):
    real, fake = torch.randn(256, 784, device="cuda"), torch.randn(256, 784, device="cuda"); e = torch.rand(256, 1, device="cuda"); x = (e * real + (1 - e) * fake).requires_grad_(True)
    g = torch.autograd.grad(D(x).sum(), x, create_graph=True)[0]; gp = ((g.norm(2, dim=1) - 1) ** 2).mean()
    loss = D(fake).mean() - D(real).mean() + 10 * gp; o.zero_grad(); loss.backward(); o.step()
