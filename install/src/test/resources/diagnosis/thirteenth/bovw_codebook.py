# limit: 2.0
# bag of visual words the old way: dense maps -> descriptors -> codebook assignment
import time
import torch

torch.manual_seed(12)
dev = "cuda"
TILES, ROWS, DIM, WORDS = 130, 4096, 512, 1600


class Projector:
    def __init__(self, cin=64):
        self.w = torch.randn(cin, DIM, device=dev) / cin ** 0.5

    def __call__(self, tile):
        out = tile @ self.w
        return out.relu_()


def load_tile(k):
    g = torch.Generator(dev).manual_seed(k)
    return torch.rand(ROWS, 64, device=dev, generator=g)


def extract(project):
    maps, descriptors = [], []
    for k in range(TILES):
        fmap = project(load_tile(k))
        maps.append(fmap)
        descriptors.append(fmap[::4].clone())
        if k % 40 == 0:
            print(f"tile {k}: {fmap.mean().item():.4f}")
    heat = torch.stack([m.mean() for m in maps])
    print("most active tile", heat.argmax().item())
    return descriptors


def assign(desc, words):
    sims = desc @ words.T
    return sims.argmax(1)


def histogram(labels):
    return torch.bincount(labels, minlength=WORDS).float()


def main():
    t0 = time.time()
    descriptors = extract(Projector())
    flat = torch.cat(descriptors)
    print("descriptors", tuple(flat.shape), f"{time.time() - t0:.1f}s")
    words = flat[torch.randperm(len(flat), device=dev)[:WORDS]].clone()
    for it in range(5):
        labels = assign(flat, words)
        h = histogram(labels)
        words = words + 0.01 * torch.randn_like(words)
        print(f"iteration {it}: used words {(h > 0).sum().item()}")
    first = histogram(assign(descriptors[0], words))
    print("tile 0 uses", (first > 0).sum().item(), "words")


main()
