"""A variational autoencoder with transposed convolutions, model and loss in one compiled function, samples drawn in between."""
import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(0)
encoder = nn.Sequential(nn.Conv2d(3, 32, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(32, 64, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(64, 128, 4, 2, 1), nn.LeakyReLU(0.2),
                        nn.Flatten(), nn.Linear(128 * 64, 256)).cuda()
decoder = nn.Sequential(nn.Linear(128, 128 * 64), nn.Unflatten(1, (128, 8, 8)), nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.BatchNorm2d(64), nn.ReLU(),
                        nn.ConvTranspose2d(64, 32, 4, 2, 1), nn.BatchNorm2d(32), nn.ReLU(), nn.ConvTranspose2d(32, 3, 4, 2, 1)).cuda()


@torch.compile
def elbo(x):
    mean, logvar = encoder(x).chunk(2, 1)
    z = mean + torch.randn_like(mean) * (0.5 * logvar).exp()
    return F.mse_loss(decoder(z).sigmoid(), x, reduction="sum") / x.shape[0] - 0.5 * (1 + logvar - mean.square() - logvar.exp()).sum(1).mean()


optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
for step in range(5):
    loss = elbo(torch.rand(128, 3, 64, 64, device="cuda"))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
