# limit: 1.5
"""Per-epoch style statistics of photo batches from SqueezeNet features."""
import torch
from torchvision.models import squeezenet1_1

DEVICE = "cuda"


class StyleCollector:
    def __init__(self):
        self.maps = []

    def update(self, fmap):
        self.maps.append(fmap)

    def compute(self):
        f = torch.cat(self.maps)
        mean = f.mean(dim=(0, 2, 3))
        std = f.std(dim=(0, 2, 3))
        return mean, std

    def reset(self):
        self.maps.clear()


def photos(epoch, n=24, bs=32):
    g = torch.Generator(device=DEVICE).manual_seed(epoch)
    for _ in range(n):
        yield torch.randn(bs, 3, 224, 224, generator=g, device=DEVICE)


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    features = squeezenet1_1(weights=None).features.to(DEVICE).eval()
    collector = StyleCollector()
    previous = None
    for epoch in range(5):
        for i, batch in enumerate(photos(epoch)):
            collector.update(features(batch))
            if i % 8 == 0:
                print(f"epoch {epoch} batch {i} {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
        mean, std = collector.compute()
        collector.reset()
        if previous is not None:
            print("drift", (mean - previous).abs().max().item(), "std", std.mean().item())
        previous = mean


if __name__ == "__main__":
    main()
