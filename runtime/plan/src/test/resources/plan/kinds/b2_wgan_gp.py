import torch, torch.nn as nn
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
G = nn.Sequential(nn.Linear(64, 4 * 4 * 256), nn.Unflatten(1, (256, 4, 4)), nn.ReLU(), nn.Upsample(scale_factor=2), nn.Conv2d(256, 128, 3, padding=1), nn.BatchNorm2d(128), nn.ReLU(), nn.Upsample(scale_factor=2), nn.Conv2d(128, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.Upsample(scale_factor=2), nn.Conv2d(64, 3, 3, padding=1), nn.Tanh()).cuda()
D = nn.Sequential(nn.Conv2d(3, 64, 3, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(64, 128, 3, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(128, 256, 3, 2, 1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(256 * 16, 1)).cuda()
og, od = torch.optim.Adam(G.parameters(), 1e-4, betas=(0.0, 0.9)), torch.optim.Adam(D.parameters(), 1e-4, betas=(0.0, 0.9))
for i in range(3):
    real = torch.randn(64, 3, 32, 32, device="cuda"); fake = G(torch.randn(64, 64, device="cuda")).detach()
    a = torch.rand(64, 1, 1, 1, device="cuda"); mid = (a * real + (1 - a) * fake).requires_grad_(True)
    g = torch.autograd.grad(D(mid).sum(), mid, create_graph=True)[0]
    loss = D(fake).mean() - D(real).mean() + 10 * ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()
    od.zero_grad(); loss.backward(); od.step()
    og.zero_grad(); (-D(G(torch.randn(64, 64, device="cuda"))).mean()).backward(); og.step()
