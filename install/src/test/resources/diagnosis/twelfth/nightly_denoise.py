# limit: 1.5
"""Nightly retraining of the microscope denoiser."""
import gc
import time

import torch
from torch import nn


class DnCNN(nn.Module):
    def __init__(self, depth=8, ch=48):
        super().__init__()
        layers = [nn.Conv2d(1, ch, 3, padding=1), nn.ReLU(inplace=True)]
        for _ in range(depth - 2):
            layers += [nn.Conv2d(ch, ch, 3, padding=1), nn.BatchNorm2d(ch), nn.ReLU(inplace=True)]
        layers.append(nn.Conv2d(ch, 1, 3, padding=1))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return x - self.net(x)


def clean_images(n, size=128, bs=16):
    for _ in range(n):
        base = torch.randn(bs, 1, size // 8, size // 8)
        yield nn.functional.interpolate(base, scale_factor=8, mode="bilinear")


def main():
    torch.manual_seed(0)
    model = DnCNN().to("cuda").train()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        start = time.time()
        for clean in clean_images(20):
            clean = clean.to("cuda")
            noisy = clean + 0.1 * torch.randn_like(clean)
            loss = nn.functional.mse_loss(model(noisy), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            value = loss.item()
            del noisy, clean, loss
            gc.collect()
            torch.cuda.empty_cache()
        print(f"epoch {epoch} loss {value:.4f} {time.time() - start:.1f}s")


if __name__ == "__main__":
    main()
