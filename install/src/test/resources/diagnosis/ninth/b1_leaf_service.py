# limit: 2.5
"""Leaf disease service: loads the released weights and answers photo batches."""
import pathlib
import tempfile
import torch
from torchvision.models import vit_l_16

device = torch.device("cuda")
release = pathlib.Path(tempfile.mkdtemp()) / "leaf_vit_release.pt"


def publish(path):
    torch.manual_seed(5)
    torch.save(vit_l_16(weights=None, num_classes=38).state_dict(), path)


class LeafService:
    def __init__(self, path):
        self.state = torch.load(path, map_location="cuda")
        self.model = vit_l_16(weights=None, num_classes=38)
        self.model.load_state_dict(self.state)
        self.model.to(device).eval()
        self.version = len(self.state)

    @torch.inference_mode()
    def answer(self, photos):
        logits = self.model(photos.to(device))
        confidence, disease = logits.softmax(-1).max(-1)
        return disease.cpu(), confidence.cpu()


def main():
    publish(release)
    service = LeafService(release)
    print("serving version", service.version)
    counts = torch.zeros(38, dtype=torch.long)
    for request in range(25):
        photos = torch.randn(64, 3, 224, 224)
        disease, confidence = service.answer(photos)
        counts += torch.bincount(disease, minlength=38)
        if request % 5 == 0:
            print("request", request, "mean confidence", confidence.mean().item())
    print("most common", counts.argmax().item())


try:
    main()
finally:
    release.unlink(missing_ok=True)
