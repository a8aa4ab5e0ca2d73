# limit: 1.8
"""Image retrieval: extract gallery descriptors, L2-normalise, PCA-whiten, search."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision

torch.manual_seed(0)
device = torch.device("cuda")
N, D, BS = 1_048_576, 256, 8192


class Descriptor(nn.Module):
    """Light global descriptor on top of thumbnails."""

    def __init__(self):
        super().__init__()
        self.trunk = torchvision.models.squeezenet1_1(weights=None).features[:3]
        self.fc = nn.Linear(64, D)

    def forward(self, x):
        return self.fc(self.trunk(x).mean((2, 3)))


def thumbnails(n, bs):
    g = torch.Generator(device=device).manual_seed(1)
    for s in range(0, n, bs):
        yield s, torch.rand(min(bs, n - s), 3, 16, 16, device=device, generator=g)


@torch.no_grad()
def extract(model):
    emb = torch.empty(N, D, device=device)
    for s, img in thumbnails(N, BS):
        emb[s:s + img.size(0)] = model(img)
        if (s // BS) % 32 == 0:
            print("extracted", s, flush=True)
    return emb


def pca(sample, eps=1e-5):
    mean = sample.mean(0)
    c = sample - mean
    val, vec = torch.linalg.eigh(c.T @ c / c.size(0))
    return mean, vec / (val + eps).sqrt()


@torch.no_grad()
def main():
    model = Descriptor().eval().to(device)
    emb = extract(model)
    mean, w = pca(emb[torch.randperm(N, device=device)[:20000]])
    print("pca done", w.shape, flush=True)
    emb = F.normalize(emb, dim=1)
    emb = (emb - mean) @ w
    q = emb[:8]
    print((q @ emb.T).topk(5, 1).indices)


main()
