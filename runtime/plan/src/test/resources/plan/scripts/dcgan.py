import torch, torch.nn as nn
def g(i, o, s, p): return [nn.ConvTranspose2d(i, o, 4, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU(True)]
def d(i, o): return [nn.Conv2d(i, o, 4, 2, 1, bias=False), nn.BatchNorm2d(o), nn.LeakyReLU(0.2, inplace=True)]
G = nn.Sequential(*g(100, 512, 1, 0), *g(512, 256, 2, 1), *g(256, 128, 2, 1), *g(128, 64, 2, 1), nn.ConvTranspose2d(64, 3, 4, 2, 1, bias=False), nn.Tanh()).cuda()
D = nn.Sequential(nn.Conv2d(3, 64, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True), *d(64, 128), *d(128, 256), *d(256, 512), nn.Conv2d(512, 1, 4, 1, 0, bias=False)).cuda()
og, od = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999)), torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999)); bce = nn.BCEWithLogitsLoss()
for step in range(3):
    real, z = torch.randn(64, 3, 64, 64, device="cuda"), torch.randn(64, 100, 1, 1, device="cuda"); fake = G(z)
    od.zero_grad(); ld = bce(D(real).view(-1), torch.ones(64, device="cuda")) + bce(D(fake.detach()).view(-1), torch.zeros(64, device="cuda")); ld.backward(); od.step()
    og.zero_grad(); lg = bce(D(fake).view(-1), torch.ones(64, device="cuda")); lg.backward(); og.step()
