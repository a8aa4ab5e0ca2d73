# limit: 1.6
# latent sampler: denoiser replayed through CUDA graphs, decoder in eager mode
import torch
import torch.nn as nn
import torch.nn.functional as F

dev = "cuda"
torch.manual_seed(14)


class Denoiser(nn.Module):
    def __init__(self, c=128):
        super().__init__()
        self.a = nn.Conv2d(8, c, 3, padding=1)
        self.b = nn.Conv2d(c, c, 3, padding=1)
        self.c = nn.Conv2d(c, c, 3, padding=1)
        self.d = nn.Conv2d(c, 8, 3, padding=1)

    def forward(self, z):
        h = F.silu(self.a(z))
        h = h + F.silu(self.b(h))
        h = h + F.silu(self.c(h))
        return z - 0.1 * self.d(h)


class Decoder(nn.Module):
    def __init__(self, c=64):
        super().__init__()
        self.inp = nn.Conv2d(8, c, 3, padding=1)
        self.mid = nn.Conv2d(c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 3, 3, padding=1)

    def forward(self, z):
        h = F.silu(self.inp(z))
        h = F.silu(self.mid(F.interpolate(h, scale_factor=4)))
        return torch.sigmoid(self.out(h))


class Recorded:
    def __init__(self, net, shape):
        self.z = torch.zeros(shape, device=dev)
        s = torch.cuda.Stream()
        s.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(s):
            net(self.z)
        torch.cuda.current_stream().wait_stream(s)
        self.g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.g):
            self.y = net(self.z)

    def run(self, z, steps):
        self.z.copy_(z)
        for _ in range(steps):
            self.g.replay()
            self.z.copy_(self.y)
        return self.z.clone()


@torch.no_grad()
def main():
    den, dec = Denoiser().to(dev), Decoder().to(dev)
    recorded, latents = {}, {}
    for side in (96, 112, 128, 144, 160, 176):
        shape = (6, 8, side, side)
        recorded[side] = Recorded(den, shape)
        latents[side] = recorded[side].run(torch.randn(shape, device=dev), 30)
        print(f"latent {side}: {latents[side].std().item():.4f}")
    for side, z in latents.items():
        for k in range(0, len(z), 3):
            img = dec(z[k:k + 3])
            print(f"image {tuple(img.shape)} mean {img.mean().item():.4f}")
            del img


main()
