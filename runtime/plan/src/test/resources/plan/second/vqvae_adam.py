import torch
import torch.nn as nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.net = nn.Sequential(nn.ReLU(), nn.Conv2d(c, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, c, 1))

    def forward(self, x):
        return x + self.net(x)


class VQVAE(nn.Module):
    def __init__(self, c=128, codes=512, width=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, c // 2, 4, 2, 1), nn.ReLU(), nn.Conv2d(c // 2, c, 4, 2, 1), Residual(c), Residual(c), nn.Conv2d(c, width, 1))
        self.codebook = nn.Embedding(codes, width)
        self.dec = nn.Sequential(nn.Conv2d(width, c, 3, padding=1), Residual(c), Residual(c), nn.ReLU(), nn.ConvTranspose2d(c, c // 2, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(c // 2, 3, 4, 2, 1))

    def forward(self, x):
        z = self.enc(x)
        flat = z.permute(0, 2, 3, 1).reshape(-1, z.shape[1])
        distance = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codebook.weight.t() + self.codebook.weight.pow(2).sum(1)
        q = self.codebook(distance.argmin(1)).view(z.shape[0], z.shape[2], z.shape[3], -1).permute(0, 3, 1, 2)
        loss = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
        return self.dec(z + (q - z).detach()), loss


torch.manual_seed(0)
model = VQVAE().cuda()
opt = torch.optim.Adam(model.parameters(), lr=2e-4)
for step in range(3):
    x = torch.rand(32, 3, 64, 64, device="cuda")
    recon, vq = model(x)
    loss = F.mse_loss(recon, x) + vq
    opt.zero_grad()
    loss.backward()
    opt.step()
