# limit: 1.5
import time
import torch
import torchvision

device = torch.device("cuda")


class ShelfMatcher:
    """Answers 'which products stand where' for photos sent by the stores."""

    def __init__(self):
        net = torchvision.models.resnet18(weights=None).to(device).eval()
        self.stem = torch.nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool, net.layer1)
        self.mid, self.deep = net.layer2, net.layer3
        self.prototypes = torch.randn(4000, 256, device=device)
        self.pyramids = {}

    @torch.no_grad()
    def pyramid(self, key, photos):
        if key not in self.pyramids:
            x = self.stem(photos)
            mid = self.mid(x)
            deep = self.deep(mid)
            self.pyramids[key] = (mid, deep)
        return self.pyramids[key]

    @torch.no_grad()
    def match(self, key, photos):
        mid, deep = self.pyramid(key, photos)
        pooled = deep.mean((2, 3))
        score = pooled @ self.prototypes.T
        return score.topk(5, dim=1).indices.cpu()


def incoming(n):
    for i in range(n):
        store, aisle = i % 7, i // 7
        photos = torch.randn(32, 3, 224, 224)
        yield f"{store:02d}/{aisle:03d}", photos


def serve():
    matcher = ShelfMatcher()
    answered, start = 0, time.time()
    for key, photos in incoming(160):
        best = matcher.match(key, photos.to(device))
        answered += best.shape[0]
        if answered % 320 == 0:
            print(key, answered, f"{time.time() - start:.1f}s")


serve()
