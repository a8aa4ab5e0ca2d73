# limit: 2.0
# near-duplicate removal in image embeddings, one shard after the other
import torch
import timm

dev = "cuda"
torch.manual_seed(2024)


def embedder():
    m = timm.create_model("mobilenetv3_small_050", pretrained=False, num_classes=0)
    return m.to(dev).eval()


@torch.no_grad()
def embed(model, n_base, copies):
    base = torch.rand(n_base, 3, 64, 64, device=dev)
    feats = []
    for chunk in base.split(256):
        f = model(chunk).float()
        f = f + 0.3 * f.std() * torch.randn_like(f)
        feats.append(f)
    f = torch.cat(feats)
    f = f - f.mean(0)
    f = f.repeat(copies, 1)
    f = f + 1e-3 * f.std() * torch.randn_like(f)
    return torch.nn.functional.normalize(f, dim=1)


def duplicate_pairs(f, threshold):
    close = torch.empty(len(f), len(f), dtype=torch.bool, device=dev)
    for lo in range(0, len(f), 1024):
        close[lo:lo + 1024] = f[lo:lo + 1024] @ f.T > threshold
    return close.nonzero()


def keep_mask(n, pairs):
    keep = torch.ones(n, dtype=torch.bool, device=dev)
    later = pairs[pairs[:, 0] < pairs[:, 1], 1]
    keep[later] = False
    return keep


SHARDS = [("flowers", 2000, 2), ("birds", 4000, 2), ("cars", 3000, 4), ("memes", 3, 6000)]


def main():
    model = embedder()
    report = {}
    for name, n_base, copies in SHARDS:
        f = embed(model, n_base, copies)
        pairs = duplicate_pairs(f, threshold=0.98)
        keep = keep_mask(len(f), pairs)
        report[name] = (len(f), keep.sum().item())
        print(f"{name}: {len(f)} images, {len(pairs)} pairs, keep {report[name][1]}")
        del pairs, keep, f
    return report


if __name__ == "__main__":
    print(main())
