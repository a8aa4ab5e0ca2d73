# limit: 2
import torch
import torchvision
from torch import nn

dev = torch.device("cuda")
MICRO, ACCUMULATE, FINDINGS = 16, 8, 14


def build():
    net = torchvision.models.resnet34(weights=None, num_classes=FINDINGS)
    net.conv1 = nn.Conv2d(1, 64, 7, 2, 3, bias=False)
    return net.to(dev)


def films():
    while True:
        image = torch.randn(MICRO, 1, 224, 224)
        finding = (torch.rand(MICRO, FINDINGS) > 0.9).float()
        yield image.to(dev, non_blocking=True), finding.to(dev, non_blocking=True)


def train(updates=15):
    model = build()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    lossfn = nn.BCEWithLogitsLoss()
    source = films()
    for update in range(updates):
        opt.zero_grad(set_to_none=True)
        step_loss = 0.0
        for _ in range(ACCUMULATE):
            image, finding = next(source)
            loss = lossfn(model(image), finding) / ACCUMULATE
            loss.backward()
            step_loss += loss.detach()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print("update", update, "loss", float(step_loss))


if __name__ == "__main__":
    train()
