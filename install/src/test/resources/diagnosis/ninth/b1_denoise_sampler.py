# limit: 2
"""Trains a tiny denoiser for a moment, then samples 64 pictures in 150 steps."""
import torch
from torch import nn

device = "cuda"
STEPS = 150
betas = torch.linspace(1e-4, 0.03, STEPS, device=device)
alphas = 1 - betas
alpha_bar = alphas.cumprod(0)


class Denoiser(nn.Module):
    def __init__(self, w=64):
        super().__init__()
        self.time = nn.Embedding(STEPS, w)
        self.inp = nn.Conv2d(3, w, 3, 1, 1)
        self.down, self.mid = nn.Conv2d(w, 2 * w, 4, 2, 1), nn.Conv2d(2 * w, 2 * w, 3, 1, 1)
        self.up, self.out = nn.ConvTranspose2d(2 * w, w, 4, 2, 1), nn.Conv2d(2 * w, 3, 3, 1, 1)

    def forward(self, x, t):
        a = torch.relu(self.inp(x) + self.time(t)[:, :, None, None])
        h = torch.relu(self.down(a))
        h = torch.relu(self.mid(h))
        return self.out(torch.cat([torch.relu(self.up(h)), a], 1))


def train(model, count=80):
    opt = torch.optim.Adam(model.parameters(), lr=2e-4)
    for n in range(count):
        x = torch.rand(32, 3, 64, 64, device=device) * 2 - 1
        t = torch.randint(0, STEPS, (32,), device=device)
        noise = torch.randn_like(x)
        ab = alpha_bar[t][:, None, None, None]
        loss = (model(ab.sqrt() * x + (1 - ab).sqrt() * noise, t) - noise).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("loss", loss.item())


@torch.no_grad()
def sample(model, n=64):
    x = torch.randn(n, 3, 64, 64, device=device)
    film = []
    for step in reversed(range(STEPS)):
        t = torch.full((n,), step, device=device)
        x = (x - betas[step] / (1 - alpha_bar[step]).sqrt() * model(x, t)) / alphas[step].sqrt()
        if step > 0:
            x = x + betas[step].sqrt() * torch.randn_like(x)
        if step % 10 == 0:
            film.append(x.cpu())
    return film


model = Denoiser().to(device)
train(model)
film = sample(model)
print("frames", len(film), "last", film[-1].abs().mean().item())
