"""beta-VAE on 128x128 'faces', float32, Adam, KL warm-up, reconstructions and samples at the end of every epoch."""
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

IMG = 128
LATENT = 256
WIDTHS = [64, 128, 256, 512, 512]
BATCH = 64
EPOCHS = 2
N_IMAGES = 256
BETA = 4.0
device = torch.device("cuda")


class BetaVAE(nn.Module):
    def __init__(self, in_ch=3):
        super().__init__()
        layers, c = [], in_ch
        for w in WIDTHS:
            layers.append(nn.Sequential(nn.Conv2d(c, w, 3, stride=2, padding=1), nn.BatchNorm2d(w), nn.LeakyReLU()))
            c = w
        self.encoder = nn.Sequential(*layers)
        self.side = IMG // 2 ** len(WIDTHS)
        flat = c * self.side ** 2
        self.fc_mu = nn.Linear(flat, LATENT)
        self.fc_var = nn.Linear(flat, LATENT)
        self.decoder_input = nn.Linear(LATENT, flat)
        layers = []
        rev = WIDTHS[::-1]
        for a, b in zip(rev, rev[1:] + [rev[-1]]):
            layers.append(nn.Sequential(nn.ConvTranspose2d(a, b, 3, stride=2, padding=1, output_padding=1),
                                        nn.BatchNorm2d(b), nn.LeakyReLU()))
        self.decoder = nn.Sequential(*layers)
        self.final = nn.Sequential(nn.Conv2d(rev[-1], in_ch, 3, padding=1), nn.Tanh())

    def encode(self, x):
        h = torch.flatten(self.encoder(x), start_dim=1)
        return self.fc_mu(h), self.fc_var(h)

    def decode(self, z):
        h = self.decoder_input(z).view(-1, WIDTHS[-1], self.side, self.side)
        return self.final(self.decoder(h))

    def reparameterize(self, mu, logvar):
        return mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon, x, mu, logvar, kld_weight):
    recon_loss = F.mse_loss(recon, x)
    kld = torch.mean(-0.5 * torch.sum(1 + logvar - mu ** 2 - logvar.exp(), dim=1), dim=0)
    return recon_loss + BETA * kld_weight * kld, recon_loss.detach(), kld.detach()


def train(epoch, model, loader, optimizer):
    model.train()
    totals = torch.zeros(3)
    for i, (x,) in enumerate(loader):
        x = x.to(device)
        optimizer.zero_grad()
        recon, mu, logvar = model(x)
        warm = min(1.0, (epoch * len(loader) + i + 1) / (EPOCHS * len(loader)))
        loss, rec, kld = loss_function(recon, x, mu, logvar, warm * BATCH / N_IMAGES * 1e-2)
        loss.backward()
        optimizer.step()
        totals += torch.stack([loss.detach(), rec, kld]).cpu()
    loss, rec, kld = (totals / len(loader)).tolist()
    print(f"====> Epoch {epoch} loss {loss:.4f} recon {rec:.4f} kld {kld:.4f}")


def sample_and_reconstruct(model, batch):
    model.eval()
    with torch.no_grad():
        samples = model.decode(torch.randn(64, LATENT, device=device))
        recon, _, _ = model(batch.to(device))
    grid = torch.cat([batch[:8], recon[:8].cpu(), samples[:8].cpu()])
    print("grid", tuple(grid.shape), "range", round(grid.min().item(), 2), round(grid.max().item(), 2))


if __name__ == "__main__":
    torch.manual_seed(1265)
    data = torch.tanh(F.interpolate(torch.randn(N_IMAGES, 3, 16, 16), size=IMG, mode="bilinear"))
    loader = DataLoader(TensorDataset(data), batch_size=BATCH, shuffle=True, drop_last=True)
    model = BetaVAE().to(device)
    optimizer = optim.Adam(model.parameters(), lr=5e-3)
    scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
    for epoch in range(EPOCHS):
        train(epoch, model, loader, optimizer)
        scheduler.step()
        sample_and_reconstruct(model, data[:BATCH])
    print("max allocated MB", torch.cuda.max_memory_allocated() // 2**20)
