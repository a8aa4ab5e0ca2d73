"""Quantisation-aware finetuning of MobileNetV2: own fake-quant with straight-through estimator, moving-average
observers for activations, per-channel weights; compared to the float net at the end."""
import copy
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v2

CFG = dict(batch=48, size=160, classes=50, float_steps=3, qat_steps=4, bits=8, lr=0.02)


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, zero, lo, hi):
        q = torch.round(x / scale) + zero
        ctx.save_for_backward((q >= lo) & (q <= hi))
        return (q.clamp(lo, hi) - zero) * scale

    @staticmethod
    def backward(ctx, g):
        (inside,) = ctx.saved_tensors
        return g * inside, None, None, None, None


class ActQuant(nn.Module):
    def __init__(self, bits, momentum=0.1):
        super().__init__()
        self.register_buffer("lo", torch.zeros(()))
        self.register_buffer("hi", torch.ones(()))
        self.register_buffer("seen", torch.zeros((), dtype=torch.bool))
        self.levels, self.m = 2 ** bits - 1, momentum

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                lo, hi = torch.aminmax(x)
                if not self.seen:
                    self.lo.copy_(lo), self.hi.copy_(hi), self.seen.fill_(True)
                else:
                    self.lo.lerp_(lo, self.m), self.hi.lerp_(hi, self.m)
        scale = ((self.hi - self.lo) / self.levels).clamp(min=1e-8)
        zero = torch.round(-self.lo / scale)
        return RoundSTE.apply(x, scale, zero, 0, self.levels)


class QConv2d(nn.Conv2d):
    """float Conv2d turned QAT in place by `from_float`"""

    @classmethod
    def from_float(cls, c, bits):
        q = cls(c.in_channels, c.out_channels, c.kernel_size, c.stride, c.padding, c.dilation, c.groups, c.bias is not None)
        q.load_state_dict(c.state_dict())
        q.qmax = 2 ** (bits - 1) - 1
        q.aq = ActQuant(bits)
        return q

    def forward(self, x):
        s = (self.weight.detach().abs().amax((1, 2, 3), keepdim=True) / self.qmax).clamp(min=1e-8)
        w = RoundSTE.apply(self.weight, s, torch.zeros_like(s), -self.qmax - 1, self.qmax)
        return F.conv2d(self.aq(x), w, self.bias, self.stride, self.padding, self.dilation, self.groups)


def convert(module, bits):
    for name, child in module.named_children():
        if isinstance(child, nn.Conv2d):
            setattr(module, name, QConv2d.from_float(child, bits))
        else:
            convert(child, bits)
    return module


def batch(n, size, classes, dev):
    y = torch.randint(0, classes, (n,), device=dev)
    x = torch.randn(n, 3, size, size, device=dev) * 0.5
    return x + torch.sin(y.float()).view(-1, 1, 1, 1), y


def fit(model, steps, lr, tag, dev):
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=4e-5)
    model.train()
    for i in range(steps):
        x, y = batch(CFG["batch"], CFG["size"], CFG["classes"], dev)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{tag} {i} loss {loss.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(48)
    dev = "cuda"
    net = mobilenet_v2(weights=None, num_classes=CFG["classes"]).to(dev)
    fit(net, CFG["float_steps"], CFG["lr"], "float", dev)
    qnet = convert(copy.deepcopy(net), CFG["bits"]).to(dev)
    torch.cuda.reset_peak_memory_stats()
    fit(qnet, CFG["qat_steps"], CFG["lr"] * 0.1, "qat", dev)
    net.eval(), qnet.eval()
    with torch.no_grad():
        x, _ = batch(2 * CFG["batch"], CFG["size"], CFG["classes"], dev)
        a, b = net(x), qnet(x)
        print("agreement", (a.argmax(1) == b.argmax(1)).float().mean().item(), "mse", F.mse_loss(a, b).item())
    with tempfile.TemporaryDirectory() as d:
        ints = {n: torch.round(m.weight / (m.weight.abs().amax((1, 2, 3), keepdim=True) / 127)).to(torch.int8).cpu()
                for n, m in qnet.named_modules() if isinstance(m, QConv2d)}
        path = os.path.join(d, "int8.pt")
        torch.save(ints, path)
        print("int8 weights kB", os.path.getsize(path) // 1024)


if __name__ == "__main__":
    main()
