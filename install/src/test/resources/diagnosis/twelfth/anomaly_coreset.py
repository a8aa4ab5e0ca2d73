# limit: 1.0
"""PatchCore-like memory bank for surface inspection images."""
import torch
from torch import nn


class PatchEncoder(nn.Module):
    def __init__(self, dim=384):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(3, 64, 4, stride=4), nn.ReLU(),
            nn.Conv2d(64, dim, 2, stride=2), nn.ReLU(),
        )

    def forward(self, x):
        f = self.body(x)                      # B, D, 32, 32
        return f.permute(0, 2, 3, 1).reshape(-1, f.shape[1])


def normal_images(n, bs=32):
    g = torch.Generator().manual_seed(1)
    for _ in range(n):
        yield torch.randn(bs, 3, 256, 256, generator=g)


@torch.no_grad()
def build_bank(encoder, n_batches):
    bank = torch.empty(0, 384, device="cuda")
    for i, img in enumerate(normal_images(n_batches)):
        patches = encoder(img.cuda())         # 32768 x 384, 48 MiB
        bank = torch.cat([bank, patches], dim=0)
        print(f"{i}: bank {tuple(bank.shape)}")
    return bank


@torch.no_grad()
def subsample(bank, keep=4096):
    idx = torch.randperm(len(bank), device=bank.device)[:keep]
    return bank[idx].clone()


def main():
    torch.manual_seed(0)
    encoder = PatchEncoder().cuda().eval()
    bank = build_bank(encoder, n_batches=14)
    coreset = subsample(bank)
    del bank
    query = encoder(torch.randn(1, 3, 256, 256).cuda())
    score = torch.cdist(query, coreset).min(1).values.max()
    print("score", score.item())


if __name__ == "__main__":
    main()
