# limit: 2
"""Small GAN on 64x64 portraits (random tensors stand in for the data here)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
torch.manual_seed(1)
Z = 128
BATCH = 64


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(Z, 1024)
        self.mid = nn.Linear(1024, 2048)
        self.out = nn.Linear(2048, 3 * 64 * 64)

    def forward(self, z):
        h = F.leaky_relu(self.fc(z), 0.2)
        h = F.leaky_relu(self.mid(h), 0.2)
        return torch.tanh(self.out(h))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(3 * 64 * 64, 1024), nn.LeakyReLU(0.2),
            nn.Linear(1024, 512), nn.LeakyReLU(0.2),
            nn.Linear(512, 1),
        )

    def forward(self, x):
        return self.net(x)


G, D = Generator().to(device), Discriminator().to(device)
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(256, Z, device=device)
history = {"d": [], "g": [], "score": []}

for it in range(1000):
    real = torch.rand(BATCH, 3 * 64 * 64, device=device) * 2 - 1
    ones, zeros = torch.ones(BATCH, 1, device=device), torch.zeros(BATCH, 1, device=device)

    fake = G(torch.randn(BATCH, Z, device=device))
    loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    loss_g = bce(D(fake), ones)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

    history["d"].append(loss_d.item())
    history["g"].append(loss_g.item())
    history["score"].append(D(G(fixed_noise)).mean())
    if it % 100 == 0:
        print(it, history["d"][-1], history["g"][-1], float(history["score"][-1]))
