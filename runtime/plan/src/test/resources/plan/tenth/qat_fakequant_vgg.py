"""Quantisation aware training by hand: LSQ style learned step sizes for weights and activations (VGG on CIFAR shapes)."""
import copy
import math
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class GradScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None


class LSQ(nn.Module):
    def __init__(self, bits, signed):
        super().__init__()
        self.qn = -(2 ** (bits - 1)) if signed else 0
        self.qp = 2 ** (bits - 1) - 1 if signed else 2 ** bits - 1
        self.step = nn.Parameter(torch.tensor(1.0))
        self.register_buffer("initialised", torch.tensor(0, dtype=torch.uint8))

    def forward(self, x):
        if self.initialised.item() == 0:
            self.step.data.fill_(2 * x.detach().abs().mean().item() / math.sqrt(self.qp) + 1e-8)
            self.initialised.fill_(1)
        s = GradScale.apply(self.step, 1.0 / math.sqrt(x.numel() * self.qp))
        return RoundSTE.apply((x / s).clamp(self.qn, self.qp)) * s


class QConv(nn.Conv2d):
    def __init__(self, *a, wbits=4, abits=4, **k):
        super().__init__(*a, **k)
        self.wq = LSQ(wbits, signed=True)
        self.aq = LSQ(abits, signed=False)

    def forward(self, x):
        return F.conv2d(self.aq(x), self.wq(self.weight), self.bias, self.stride, self.padding)


def vgg(cfg=(64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M"), classes=10):
    layers, c = [], 3
    for v in cfg:
        if v == "M":
            layers += [nn.MaxPool2d(2)]
            continue
        conv = nn.Conv2d if c == 3 else QConv    # first layer stays in full precision
        layers += [conv(c, v, 3, padding=1, bias=False), nn.BatchNorm2d(v), nn.ReLU()]
        c = v
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(c, classes))


def data(n, device):
    y = torch.randint(0, 10, (n,), device=device)
    x = torch.randn(n, 3, 32, 32, device=device) * 0.5
    x += (y.float() / 10)[:, None, None, None]
    return x, y


def int_weights(model):
    out = {}
    for name, m in model.named_modules():
        if isinstance(m, QConv):
            q = (m.weight / m.wq.step).clamp(m.wq.qn, m.wq.qp).round().to(torch.int8)
            out[name] = {"q": q.cpu(), "scale": m.wq.step.item()}
    return out


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = vgg().to(device)
    steps = [p for n, p in model.named_parameters() if n.endswith("step")]
    others = [p for n, p in model.named_parameters() if not n.endswith("step")]
    groups = [{"params": others, "weight_decay": 5e-4}, {"params": steps, "lr": 1e-3}]
    opt = torch.optim.SGD(groups, lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10)
    best, best_acc = None, -1
    for epoch in range(2):
        model.train()
        for i in range(2):
            x, y = data(512, device)
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"epoch {epoch} it {i} loss {loss.item():.4f}")
        sched.step()
        model.eval()
        with torch.no_grad():
            x, y = data(1024, device)
            acc = (model(x).argmax(1) == y).float().mean().item()
        print(f"epoch {epoch} acc {acc:.3f}")
        if acc > best_acc:
            best, best_acc = copy.deepcopy(model), acc
    with tempfile.NamedTemporaryFile(suffix=".pt") as f:
        torch.save(int_weights(best), f.name)
        print("exported", os.path.getsize(f.name) >> 10, "KiB")


if __name__ == "__main__":
    main()
