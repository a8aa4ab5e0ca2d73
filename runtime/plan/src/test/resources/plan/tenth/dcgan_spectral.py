import torch
import torch.nn as nn
from torch.nn.utils.parametrizations import spectral_norm

# DCGAN at 64x64 with a spectrally normalised critic and hinge loss
nz = 128
ngf = 128
ndf = 128
nc = 3
batch_size = 256
n_iters = 4
n_critic = 2
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("ConvTranspose") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()

        def up(i, o, k=4, s=2, p=1):
            return [nn.ConvTranspose2d(i, o, k, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU(True)]

        self.main = nn.Sequential(
            *up(nz, ngf * 8, 4, 1, 0),
            *up(ngf * 8, ngf * 4),
            *up(ngf * 4, ngf * 2),
            *up(ngf * 2, ngf),
            nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        layers = []
        ch = [nc, ndf, ndf * 2, ndf * 4, ndf * 8]
        for i, o in zip(ch[:-1], ch[1:]):
            layers += [spectral_norm(nn.Conv2d(i, o, 4, 2, 1)), nn.LeakyReLU(0.2, inplace=True)]
        self.features = nn.Sequential(*layers)
        self.out = spectral_norm(nn.Conv2d(ndf * 8, 1, 4, 1, 0))

    def forward(self, x):
        return self.out(self.features(x)).view(-1)


netG = Generator().to(device)
netG.apply(weights_init)
netD = Critic().to(device)
fixed_noise = torch.randn(64, nz, 1, 1, device=device)
optD = torch.optim.Adam(netD.parameters(), lr=4e-4, betas=(0.0, 0.9))
optG = torch.optim.Adam(netG.parameters(), lr=1e-4, betas=(0.0, 0.9))

samples = []
for it in range(n_iters):
    for _ in range(n_critic):
        real = torch.rand(batch_size, nc, 64, 64, device=device) * 2 - 1
        netD.zero_grad()
        d_real = netD(real)
        noise = torch.randn(batch_size, nz, 1, 1, device=device)
        fake = netG(noise)
        d_fake = netD(fake.detach())
        errD = torch.relu(1 - d_real).mean() + torch.relu(1 + d_fake).mean()
        errD.backward()
        optD.step()

    netG.zero_grad()
    fake = netG(torch.randn(batch_size, nz, 1, 1, device=device))
    errG = -netD(fake).mean()
    errG.backward()
    optG.step()

    print("[%d/%d] Loss_D: %.4f Loss_G: %.4f" % (it, n_iters, errD.item(), errG.item()))
    if it % 2 == 0:
        with torch.no_grad():
            samples.append(netG(fixed_noise).cpu())

grid = torch.cat(samples)
print("kept samples", grid.shape, grid.min().item(), grid.max().item())
