# limit: 1.5
import torch
import torch.nn as nn
import torch.nn.functional as F


def block(i, o, norm=True):
    layers = [nn.Linear(i, o)]
    if norm:
        layers.append(nn.LayerNorm(o))
    return layers + [nn.LeakyReLU(0.2)]


class HingeGAN:
    def __init__(self, z=64, data=2048):
        self.z = z
        self.g = nn.Sequential(*block(z, 512), *block(512, 1024), nn.Linear(1024, data)).cuda()
        self.d = nn.Sequential(*block(data, 1024, False), *block(1024, 512, False), nn.Linear(512, 1)).cuda()
        self.og = torch.optim.Adam(self.g.parameters(), 1e-4, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), 4e-4, betas=(0.0, 0.9))
        self.preview_noise = torch.randn(16, z, device="cuda")
        self.previews, self.curve = [], []

    def train_d(self, real):
        with torch.no_grad():
            fake = self.g(torch.randn(len(real), self.z, device="cuda"))
        loss = F.relu(1 - self.d(real)).mean() + F.relu(1 + self.d(fake)).mean()
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        return loss.item()

    def train_g(self, n):
        loss = -self.d(self.g(torch.randn(n, self.z, device="cuda"))).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        return loss.item()

    @torch.no_grad()
    def preview(self):
        self.previews.append(self.g(self.preview_noise).cpu())


gan = HingeGAN()
for step in range(150):
    for _ in range(2):
        d = gan.train_d(torch.randn(256, 2048, device="cuda"))
    g = gan.train_g(256)
    gan.curve.append((d, g))
    if step % 15 == 0:
        gan.preview()
        print(step, d, g)
print(len(gan.previews), "previews")
