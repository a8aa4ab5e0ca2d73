"""Quantization-aware training of MobileNetV2: 8-bit weights per channel, 8-bit activations with moving ranges.
Straight-through estimator in an autograd.Function; BN statistics frozen halfway."""
import logging
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v2

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
log = logging.getLogger("qat")
DEVICE = "cuda"
BATCH, SIDE, STEPS = 24, 160, 6
FREEZE_BN_AT = 3
CLASSES = 50


class FakeQuant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, zero, qmin, qmax):
        q = torch.round(x / scale + zero)
        ctx.save_for_backward((q >= qmin) & (q <= qmax))
        return (q.clamp(qmin, qmax) - zero) * scale

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask, None, None, None, None


class ActQuant(nn.Module):
    def __init__(self, momentum=0.05):
        super().__init__()
        self.m = momentum
        self.register_buffer("lo", torch.zeros(()))
        self.register_buffer("hi", torch.ones(()))
        self.register_buffer("seen", torch.zeros((), dtype=torch.bool))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                lo, hi = torch.aminmax(x.detach())
                self.lo.copy_(torch.where(self.seen, self.lo.lerp(lo, self.m), lo))
                self.hi.copy_(torch.where(self.seen, self.hi.lerp(hi, self.m), hi))
                self.seen.fill_(True)
        lo, hi = self.lo.clamp_max(0), self.hi.clamp_min(1e-5)
        scale = ((hi - lo) / 255).clamp_min(1e-8)
        return FakeQuant.apply(x, scale, torch.round(-lo / scale), 0, 255)


class QConv(nn.Module):
    def __init__(self, conv):
        super().__init__()
        self.conv, self.act = conv, ActQuant()

    def forward(self, x):
        w = self.conv.weight
        scale = (w.detach().abs().amax((1, 2, 3), keepdim=True) / 127).clamp_min(1e-8)
        wq = FakeQuant.apply(w, scale, torch.zeros_like(scale), -127, 127)
        c = self.conv
        return F.conv2d(self.act(x), wq, c.bias, c.stride, c.padding, c.dilation, c.groups)


class QLinear(nn.Module):
    def __init__(self, lin):
        super().__init__()
        self.lin, self.act = lin, ActQuant()

    def forward(self, x):
        w = self.lin.weight
        scale = (w.detach().abs().amax(1, keepdim=True) / 127).clamp_min(1e-8)
        return F.linear(self.act(x), FakeQuant.apply(w, scale, torch.zeros_like(scale), -127, 127), self.lin.bias)


def quantize(module):
    n = 0
    for name, child in module.named_children():
        if isinstance(child, nn.Conv2d):
            setattr(module, name, QConv(child))
            n += 1
        elif isinstance(child, nn.Linear):
            setattr(module, name, QLinear(child))
            n += 1
        else:
            n += quantize(child)
    return n


def data(steps, seed):
    g = torch.Generator(device=DEVICE).manual_seed(seed)
    for _ in range(steps):
        y = torch.randint(CLASSES, (BATCH,), generator=g, device=DEVICE)
        x = torch.randn(BATCH, 3, SIDE, SIDE, generator=g, device=DEVICE)
        yield x + (y.float() / CLASSES - 0.5)[:, None, None, None], y


def main():
    torch.manual_seed(20)
    net = mobilenet_v2(weights=None, num_classes=CLASSES)
    log.info("quantized layers: %d", quantize(net))
    net.to(DEVICE)
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9, weight_decay=4e-5, foreach=False)
    swa_like = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    net.train()
    for step, (x, y) in enumerate(data(STEPS, 1)):
        if step >= FREEZE_BN_AT:
            for m in net.modules():
                if isinstance(m, nn.BatchNorm2d):
                    m.eval()
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        swa_like.update_parameters(net)
        log.info("step %d loss %.4f mem %d MiB", step, loss.item(), torch.cuda.max_memory_allocated() >> 20)
    for tag, m in (("last", net), ("averaged", swa_like)):
        m.eval()
        with torch.no_grad():
            acc = torch.stack([(m(x).argmax(1) == y).float().mean() for x, y in data(2, 2)]).mean()
        log.info("%s accuracy %.3f", tag, acc.item())
    ints = sum(m.conv.weight.numel() for m in net.modules() if isinstance(m, QConv))
    log.info("int8 conv weights would be %.2f MB", ints / 1e6)


if __name__ == "__main__":
    main()
