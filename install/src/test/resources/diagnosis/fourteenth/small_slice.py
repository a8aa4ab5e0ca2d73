# limit: 0.45
"""Finetune on a small GPU slice: the job gets 0.45 GiB. Head first, then the whole network."""
import torch
import torch.nn.functional as F
from torchvision import models

torch.manual_seed(19)


def build(classes=6):
    net = models.resnet152(num_classes=classes)
    for p in net.parameters():
        p.requires_grad = False
    for p in net.fc.parameters():
        p.requires_grad = True
    return net


def x_rays(n, size=128):
    for _ in range(n):
        yield torch.randn(1, 3, size, size, device="cuda"), torch.randint(0, 6, (1,), device="cuda")


def train(net, lr, steps, tag):
    params = [p for p in net.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=lr)
    total = 0
    for x, y in x_rays(steps):
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"{tag}: mean loss {total / steps:.3f}")


def main():
    net = build().cuda().eval()  # eval: batch statistics of a single image are useless
    train(net, 1e-2, 30, "head")
    for p in net.parameters():
        p.requires_grad = True
    train(net, 1e-4, 30, "all")


if __name__ == "__main__":
    main()
