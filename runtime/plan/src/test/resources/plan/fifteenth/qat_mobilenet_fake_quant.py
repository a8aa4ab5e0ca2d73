"""Quantization-aware training of MobileNetV2 with hand made fake-quant (straight-through) wrappers."""
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v2

IMG, BATCH, CLASSES = 160, 48, 100
FLOAT_STEPS, QAT_STEPS = 2, 4


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, zero, qmin, qmax):
        q = torch.round(x / scale) + zero
        ctx.save_for_backward((q >= qmin) & (q <= qmax))
        return (q.clamp(qmin, qmax) - zero) * scale

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        return grad * mask, None, None, None, None


class ActQuant(nn.Module):
    def __init__(self, bits=8, momentum=0.1):
        super().__init__()
        self.qmax, self.momentum = 2 ** bits - 1, momentum
        self.register_buffer("lo", torch.tensor(0.0))
        self.register_buffer("hi", torch.tensor(1.0))

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                lo, hi = x.aminmax()
                self.lo.lerp_(lo.clamp_max(0.0), self.momentum)
                self.hi.lerp_(hi.clamp_min(1e-3), self.momentum)
        scale = (self.hi - self.lo) / self.qmax
        zero = torch.round(-self.lo / scale)
        return RoundSTE.apply(x, scale, zero, 0, self.qmax)


class QConv2d(nn.Conv2d):
    def attach(self):
        self.act_q = ActQuant()
        return self

    def forward(self, x):
        w = self.weight
        scale = w.detach().abs().amax(dim=(1, 2, 3), keepdim=True).clamp_min(1e-8) / 127
        wq = RoundSTE.apply(w, scale, torch.zeros_like(scale), -128, 127)
        return F.conv2d(self.act_q(x), wq, self.bias, self.stride, self.padding, self.dilation, self.groups)


def prepare_qat(model):
    n = 0
    for m in model.modules():
        if type(m) is nn.Conv2d:
            m.__class__ = QConv2d
            m.attach()
            n += 1
    return n


def freeze_bn(model):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.eval()


def run_steps(model, opt, n, tag, device, bn_frozen=False):
    model.train()
    if bn_frozen:
        freeze_bn(model)
    for i in range(n):
        x = torch.randn(BATCH, 3, IMG, IMG, device=device)
        y = torch.randint(0, CLASSES, (BATCH,), device=device)
        loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        print(f"{tag} {i}: loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(88)
    device = torch.device("cuda")
    model = mobilenet_v2(weights=None, num_classes=CLASSES).to(device)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3, alpha=0.9, momentum=0.9, weight_decay=4e-5)
    run_steps(model, opt, FLOAT_STEPS, "float", device)
    print("wrapped convs:", prepare_qat(model))
    model.to(device)
    opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    run_steps(model, opt, QAT_STEPS - 1, "qat", device)
    run_steps(model, opt, 1, "qat-frozen-bn", device, bn_frozen=True)
    # export int8 weights
    ints = {}
    for name, m in model.named_modules():
        if isinstance(m, QConv2d):
            s = m.weight.detach().abs().amax(dim=(1, 2, 3), keepdim=True) / 127
            ints[name] = ((m.weight.detach() / s).round().to(torch.int8).cpu(), s.cpu())
    with tempfile.NamedTemporaryFile() as f:
        torch.save(ints, f.name)
    model.eval()
    with torch.no_grad():
        out = model(torch.randn(2 * BATCH, 3, IMG, IMG, device=device))
    print("exported", len(ints), "eval logits", tuple(out.shape), f"final peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
