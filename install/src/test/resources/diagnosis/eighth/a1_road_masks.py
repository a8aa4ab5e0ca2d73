# limit: 3
# Road-scene segmentation: predict masks for the test set and vote over flips (from a notebook)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)
DEVICE = "cuda"
N_CLASSES = 21
SIZE = 256
BS = 8


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True),
                         nn.Conv2d(o, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, ch=(32, 64, 128, 256)):
        super().__init__()
        self.downs = nn.ModuleList()
        prev = 3
        for c in ch:
            self.downs.append(block(prev, c))
            prev = c
        self.ups = nn.ModuleList()
        for c in reversed(ch[:-1]):
            self.ups.append(block(prev + c, c))
            prev = c
        self.head = nn.Conv2d(prev, N_CLASSES, 1)

    def forward(self, x):
        skips = []
        for d in self.downs[:-1]:
            x = d(x)
            skips.append(x)
            x = F.max_pool2d(x, 2)
        x = self.downs[-1](x)
        for u in self.ups:
            x = F.interpolate(x, scale_factor=2, mode="bilinear")
            x = u(torch.cat([x, skips.pop()], dim=1))
        return self.head(x)


model = UNet().to(DEVICE).eval()
predictions = {}
with torch.inference_mode():
    for batch_idx in range(90):
        img = torch.rand(BS, 3, SIZE, SIZE, device=DEVICE)
        p = model(img).softmax(dim=1)
        p = (p + model(img.flip(-1)).flip(-1).softmax(dim=1)) / 2
        predictions[batch_idx] = p
        if batch_idx % 10 == 0:
            print("predicted", (batch_idx + 1) * BS, "images")

masks = torch.cat([predictions[k].argmax(1).to(torch.uint8).cpu() for k in sorted(predictions)])
print(masks.shape, masks.float().mean())
