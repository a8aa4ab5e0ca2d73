# limit: 0.9
# batch inference job for the shelf photo classifier
import os
import tempfile

import torch
from torchvision.models import vit_b_16

DEVICE = "cuda"
BATCH = 64


def export_weights(path):
    """Stands for the training job that leaves its weights."""
    torch.manual_seed(9)
    net = vit_b_16(weights=None)
    torch.save({"state_dict": net.state_dict(), "epoch": 90, "acc1": 81.1}, path)


class Classifier:
    def __init__(self, path):
        self.net = vit_b_16(weights=None).to(DEVICE)
        self.checkpoint = torch.load(path, map_location=DEVICE)
        self.net.load_state_dict(self.checkpoint["state_dict"])
        self.net.eval()

    def describe(self):
        return f"epoch {self.checkpoint['epoch']}, acc {self.checkpoint['acc1']}"

    @torch.no_grad()
    def __call__(self, images):
        return self.net(images.to(DEVICE)).softmax(-1).topk(5)


def photo_batches(n):
    for i in range(n):
        # the first hand-ins are small
        size = 8 if i < 3 else BATCH
        yield torch.randn(size, 3, 224, 224)


def main():
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "shelf.pth")
        export_weights(path)
        clf = Classifier(path)
    print(clf.describe())
    for i, images in enumerate(photo_batches(10)):
        top = clf(images)
        print(i, top.indices[0].tolist())


if __name__ == "__main__":
    main()
