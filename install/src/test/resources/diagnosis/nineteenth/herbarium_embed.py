# limit: 1.25
# embeddings of herbarium sheets with ViT-L/16, for a nearest-neighbour search
import timm
import torch

torch.manual_seed(1753)
device = "cuda"


class Sheets(torch.utils.data.Dataset):
    """Scanned sheets, already resized (random pixels here)."""

    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return torch.rand(3, 224, 224, generator=g), i


def load_model():
    with torch.device(device):
        model = timm.create_model("vit_large_patch16_224", pretrained=False, num_classes=0)
    return model.eval().requires_grad_(False)


def normalise(x, mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5)):
    m = torch.tensor(mean).view(1, 3, 1, 1)
    s = torch.tensor(std).view(1, 3, 1, 1)
    return (x - m) / s


@torch.inference_mode()
def smoke_test(model, ds):
    x, _ = ds[0]
    z = model(normalise(x[None]).to(device))
    print("one sheet:", tuple(z.shape), f"norm {z.norm().item():.2f}")


@torch.inference_mode()
def embed(model, ds, batch_size=16):
    loader = torch.utils.data.DataLoader(ds, batch_size=batch_size)
    index, vectors = [], []
    for x, i in loader:
        z = model(normalise(x).to(device))
        vectors.append(torch.nn.functional.normalize(z, dim=-1).cpu())
        index.append(i)
        print(f"embedded {sum(len(k) for k in index)} / {len(ds)}")
    return torch.cat(index), torch.cat(vectors)


def main():
    ds = Sheets(128)
    model = load_model()
    print(sum(p.numel() for p in model.parameters()) / 1e6, "M parameters")
    smoke_test(model, ds)
    idx, vec = embed(model, ds)
    sim = vec @ vec.T
    sim.fill_diagonal_(-1)
    print("nearest of sheet 0:", idx[sim[0].argmax()].item())


main()
