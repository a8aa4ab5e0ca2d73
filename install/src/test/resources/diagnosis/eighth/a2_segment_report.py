# limit: 6
# "I collect the outputs of the complete validation set in a list, reviewers say this must leak"
from dataclasses import dataclass, field
from typing import List

import torch
from torch import Tensor
from torchvision.models.segmentation import lraspp_mobilenet_v3_large

torch.manual_seed(35)


@dataclass
class Collected:
    probabilities: List[Tensor] = field(default_factory=list)
    targets: List[Tensor] = field(default_factory=list)

    def add(self, probabilities, targets):
        self.probabilities.append(probabilities.half().cpu())
        self.targets.append(targets)

    def accuracy(self):
        hits = [(p.argmax(1) == t).float().mean() for p, t in zip(self.probabilities, self.targets)]
        return torch.stack(hits).mean().item()


def validation_set(n, batch=8, side=256):
    for _ in range(n):
        yield torch.rand(batch, 3, side, side), torch.randint(0, 21, (batch, side, side))


def validate(model, n):
    collected = Collected()
    model.eval()
    with torch.no_grad():
        for i, (images, targets) in enumerate(validation_set(n)):
            out = model(images.to("cuda"))["out"]
            collected.add(out.softmax(1), targets)
            if i % 10 == 0:
                print(i, torch.cuda.memory_allocated() >> 20, "MiB on the GPU")
    return collected.accuracy()


net = lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=21).to("cuda")
print("accuracy", validate(net, 40))
