# limit: 2
"""Export conv features of an image set for a later retrieval experiment."""
import torch
import torchvision
from torchvision.models.feature_extraction import create_feature_extractor


class RandomImages(torch.utils.data.Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.full((3, 224, 224), (i % 255) / 255.0), i % 1000


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    backbone = torchvision.models.resnet50(weights=None)
    extractor = create_feature_extractor(backbone, return_nodes={"layer3": "feat"})
    extractor = extractor.to(device).eval()

    loader = torch.utils.data.DataLoader(RandomImages(64 * 120), batch_size=64, shuffle=False)
    features, labels = [], []
    with torch.no_grad():
        for step, (images, target) in enumerate(loader):
            images = images.to(device)
            out = extractor(images)["feat"]
            features.append(out)
            labels.append(target)
            if step % 10 == 0:
                print(f"batch {step}: {out.shape}")

    features = torch.cat([f.cpu() for f in features])
    labels = torch.cat(labels)
    torch.save({"features": features, "labels": labels}, "/tmp/a1_features.pt")


if __name__ == "__main__":
    main()
