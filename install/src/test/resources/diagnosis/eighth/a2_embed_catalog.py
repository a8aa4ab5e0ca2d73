# limit: 4
# "Extracting features for our product catalogue dies about half way through."
import torch
import torch.nn as nn
from torchvision.models import resnet50

torch.manual_seed(0)
DEVICE = "cuda"


class Trunk(nn.Module):
    """Everything of a ResNet-50 up to and with layer3."""

    def __init__(self):
        super().__init__()
        net = resnet50(weights=None)
        self.stem = nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool)
        self.body = nn.Sequential(net.layer1, net.layer2, net.layer3)

    def forward(self, x):
        return self.body(self.stem(x))


def catalogue(batches, batch_size):
    for i in range(batches):
        images = torch.rand(batch_size, 3, 224, 224)
        yield [f"sku-{i}-{j}" for j in range(batch_size)], images


@torch.no_grad()
def build_index(model, batches=120, batch_size=64):
    names, maps = [], []
    for skus, images in catalogue(batches, batch_size):
        feats = model(images.to(DEVICE, non_blocking=True))
        names.extend(skus)
        maps.append(feats)
    return names, torch.cat([m.mean(dim=(2, 3)) for m in maps])


if __name__ == "__main__":
    trunk = Trunk().to(DEVICE).eval()
    names, index = build_index(trunk)
    print(len(names), tuple(index.shape))
