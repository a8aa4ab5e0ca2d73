"""Quantization-aware training by hand: per-channel weights, per-tensor activations with moving ranges, straight-through gradient."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18


class CFG:
    bits = 8
    batch = 64
    size = 176
    classes = 50
    float_steps = 2
    observe_steps = 1
    qat_steps = 4
    lr = 0.02
    seed = 404


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lo, hi):
        ctx.save_for_backward((x >= lo) & (x <= hi))
        return x.round().clamp(lo, hi)

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask, None, None


def quant_weight(w, bits):
    q = 2 ** (bits - 1) - 1
    scale = w.detach().abs().flatten(1).amax(1).clamp(min=1e-8) / q
    scale = scale.view(-1, *([1] * (w.ndim - 1)))
    return RoundSTE.apply(w / scale, -q, q) * scale


class ActQuant(nn.Module):
    def __init__(self, bits, momentum=0.05):
        super().__init__()
        self.levels, self.m = 2**bits - 1, momentum
        self.register_buffer("lo", torch.zeros(()))
        self.register_buffer("hi", torch.ones(()))
        self.register_buffer("started", torch.zeros((), dtype=torch.bool))
        self.enabled = True

    def forward(self, x):
        if self.training:
            lo, hi = torch.aminmax(x.detach())
            m = torch.where(self.started, self.m, 1.0)
            self.lo.lerp_(lo.float(), m)
            self.hi.lerp_(hi.float(), m)
            self.started.fill_(True)
        if not self.enabled:
            return x
        scale = (self.hi - self.lo).clamp(min=1e-6) / self.levels
        zero = (-self.lo / scale).round()
        return (RoundSTE.apply(x / scale + zero, 0, self.levels) - zero) * scale


class QConv2d(nn.Conv2d):
    bits, on = 8, True

    def forward(self, x):
        x = self.aq(x)
        w = quant_weight(self.weight, self.bits) if self.on else self.weight
        return self._conv_forward(x, w, self.bias)


class QLinear(nn.Linear):
    bits, on = 8, True

    def forward(self, x):
        x = self.aq(x)
        return F.linear(x, quant_weight(self.weight, self.bits) if self.on else self.weight, self.bias)


def convert(model, bits):
    for m in model.modules():
        if type(m) is nn.Conv2d or type(m) is nn.Linear:
            m.__class__ = QConv2d if isinstance(m, nn.Conv2d) else QLinear
            m.bits = bits
            m.aq = ActQuant(bits).to(m.weight.device)
    return model


def switch(model, on):
    for m in model.modules():
        if isinstance(m, (QConv2d, QLinear)):
            m.on, m.aq.enabled = on, on


def batch(device):
    y = torch.randint(0, CFG.classes, (CFG.batch,), device=device)
    x = torch.randn(CFG.batch, 3, CFG.size, CFG.size, device=device)
    return x + (y / CFG.classes).view(-1, 1, 1, 1), y


def train(model, opt, steps, device, tag):
    model.train()
    for i in range(steps):
        x, y = batch(device)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print(f"{tag} {i}: loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(CFG.seed)
    device = torch.device("cuda")
    model = resnet18(weights=None, num_classes=CFG.classes).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=CFG.lr, momentum=0.9)
    train(model, opt, CFG.float_steps, device, "float")
    reference = copy.deepcopy(model).eval()

    convert(model, CFG.bits)
    opt = torch.optim.SGD(model.parameters(), lr=CFG.lr / 10, momentum=0.9)
    switch(model, False)
    train(model, opt, CFG.observe_steps, device, "observe")
    switch(model, True)
    train(model, opt, CFG.qat_steps, device, "qat")

    model.eval()
    with torch.no_grad():
        x, _ = batch(device)
        a, b = reference(x), model(x)
        print("argmax agreement with float", (a.argmax(1) == b.argmax(1)).float().mean().item())
    w = model.layer4[0].conv1.weight
    print("distinct int levels", int((w / (w.abs().flatten(1).amax(1) / 127).view(-1, 1, 1, 1)).round().unique().numel()))


if __name__ == "__main__":
    main()
