# limit: 2
"""Autoencoder for woven textures; the smoothed copy is what gets shipped."""
import copy
import torch
from torch import nn

dev = "cuda"


class Weave(nn.Module):
    def __init__(self, w=64):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(3, w, 4, 2, 1), nn.GELU(), nn.Conv2d(w, 2 * w, 4, 2, 1), nn.GELU(),
            nn.Flatten(), nn.Linear(2 * w * 256, 512))
        self.dec = nn.Sequential(
            nn.Linear(512, 2 * w * 256), nn.Unflatten(1, (2 * w, 16, 16)),
            nn.ConvTranspose2d(2 * w, w, 4, 2, 1), nn.GELU(), nn.ConvTranspose2d(w, 3, 4, 2, 1))

    def forward(self, x):
        return self.dec(self.enc(x))


class Smoothed:
    def __init__(self, model, decay=0.999):
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for mine, theirs in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(theirs, 1 - self.decay)


def patches(n=64):
    return torch.rand(n, 3, 64, 64, device=dev)


def main(steps=250):
    torch.manual_seed(1)
    model = Weave().to(dev)
    smoothed = Smoothed(model)
    opt = torch.optim.Adam(model.parameters(), lr=2e-4)
    for step in range(steps):
        x = patches()
        loss = (model(x) - x).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        smoothed.update(model)
        if step % 50 == 0:
            with torch.no_grad():
                check = (smoothed.model(x) - x).abs().mean().item()
            print(step, "train", loss.item(), "smoothed", check)


main()
