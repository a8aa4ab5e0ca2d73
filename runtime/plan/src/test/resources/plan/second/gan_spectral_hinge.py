import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm
torch.manual_seed(0)
gen = nn.Sequential(nn.Linear(128, 4 * 4 * 256), nn.Unflatten(1, (256, 4, 4)), *[m for i in range(3) for m in (nn.Upsample(scale_factor=2), nn.Conv2d(256 >> i, 256 >> (i + 1), 3, padding=1), nn.BatchNorm2d(256 >> (i + 1)), nn.ReLU(True))], nn.Conv2d(32, 3, 3, padding=1), nn.Tanh()).cuda()
disc = nn.Sequential(spectral_norm(nn.Conv2d(3, 64, 4, 2, 1)), nn.LeakyReLU(0.2), spectral_norm(nn.Conv2d(64, 128, 4, 2, 1)), nn.LeakyReLU(0.2), spectral_norm(nn.Conv2d(128, 256, 4, 2, 1)), nn.LeakyReLU(0.2), nn.Flatten(), spectral_norm(nn.Linear(256 * 16, 1))).cuda()
og, od = torch.optim.Adam(gen.parameters(), 2e-4, betas=(0.0, 0.9)), torch.optim.Adam(disc.parameters(), 2e-4, betas=(0.0, 0.9))
for step in range(3):
    real = torch.randn(64, 3, 32, 32, device="cuda")
    fake = gen(torch.randn(64, 128, device="cuda"))
    loss_d = F.relu(1 - disc(real)).mean() + F.relu(1 + disc(fake.detach())).mean()
    od.zero_grad()
    loss_d.backward()
    od.step()
    loss_g = -disc(gen(torch.randn(64, 128, device="cuda"))).mean()
    og.zero_grad()
    loss_g.backward()
    og.step()
