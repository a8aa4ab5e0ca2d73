# limit: 1.2
"""Epistemic uncertainty of a small segmentation net by Monte-Carlo dropout."""
import torch
import torch.nn as nn

torch.manual_seed(3)
DEVICE = "cuda"
N_CLASSES = 12
N_SAMPLES = 40


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
        nn.Dropout2d(0.2),
    )


class SegNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc1 = block(3, 24)
        self.enc2 = block(24, 48)
        self.pool = nn.MaxPool2d(2)
        self.dec = block(48, 24)
        self.head = nn.Conv2d(24, N_CLASSES, 1)

    def forward(self, x):
        x = self.enc1(x)
        x = self.enc2(self.pool(x))
        x = self.dec(nn.functional.interpolate(x, scale_factor=2))
        return self.head(x)


def enable_dropout(model):
    model.eval()
    for m in model.modules():
        if isinstance(m, nn.Dropout2d):
            m.train()


@torch.no_grad()
def predict_with_uncertainty(model, images):
    enable_dropout(model)
    samples = []
    for i in range(N_SAMPLES):
        prob = model(images).softmax(dim=1)
        samples.append(prob)
        if i % 5 == 0:
            print(f"  sample {i:3d}/{N_SAMPLES}", flush=True)
    stack = torch.stack(samples)
    mean = stack.mean(0)
    return mean, stack.var(0).mean(1)


model = SegNet().to(DEVICE)
for batch in range(3):
    images = torch.rand(4, 3, 512, 512).to(DEVICE)
    print("batch", batch)
    mean, unc = predict_with_uncertainty(model, images)
    print("mean uncertainty", unc.mean().item())
