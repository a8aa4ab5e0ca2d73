# limit: 1.5
"""Build an image-retrieval gallery: run a ViT over the photo archive, keep patch tokens for re-ranking."""
import time

import timm
import torch

torch.manual_seed(7)
DEVICE = "cuda"


class ArchiveDataset(torch.utils.data.Dataset):
    def __init__(self, n_batches, bs):
        self.n, self.bs = n_batches, bs

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return i, torch.rand(self.bs, 3, 32, 32, generator=g)


class Gallery:
    def __init__(self, backbone):
        self.backbone = backbone.eval()
        self.ids = []
        self.tokens = []

    @torch.no_grad()
    def add(self, idx, photos):
        x = torch.nn.functional.interpolate(photos, size=224, mode="bilinear")
        tok = self.backbone.forward_features(x)
        tok = torch.nn.functional.normalize(tok, dim=-1)
        self.ids.append(idx)
        self.tokens.append(tok)

    def query(self, q):
        best = [torch.einsum("d,bnd->bn", q, t).amax(1).max().item() for t in self.tokens]
        return max(range(len(best)), key=best.__getitem__)


def main():
    model = timm.create_model("vit_small_patch16_224", pretrained=False, num_classes=0).to(DEVICE)
    gallery = Gallery(model)
    loader = torch.utils.data.DataLoader(ArchiveDataset(70, 128), batch_size=None)
    t0 = time.time()
    for i, photos in loader:
        gallery.add(i, photos.to(DEVICE))
        if i % 10 == 0:
            print(f"batch {i:3d}  {time.time() - t0:5.1f}s")
    q = torch.nn.functional.normalize(torch.randn(384, device=DEVICE), dim=0)
    print("closest batch", gallery.query(q))


if __name__ == "__main__":
    main()
