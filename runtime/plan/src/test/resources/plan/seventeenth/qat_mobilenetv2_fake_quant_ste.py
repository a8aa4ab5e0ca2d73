# Quantization-aware training of MobileNetV2 by hand: per-channel int8 weights, per-tensor uint8 activations with
# learned ranges (EMA observers), straight-through estimator. BN statistics are frozen for the last steps.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v2

BATCH, IMG, CLASSES = 32, 192, 200
FLOAT_STEPS, QAT_STEPS = 2, 5
device = "cuda"


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, lo, hi):
        q = torch.round(x / scale)
        ctx.save_for_backward((q >= lo) & (q <= hi))
        return q.clamp(lo, hi) * scale

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask, None, None, None


class ActQuant(nn.Module):
    def __init__(self, momentum=0.05):
        super().__init__()
        self.register_buffer("amax", torch.tensor(0.0))
        self.momentum = momentum
        self.enabled = False

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                m = x.abs().amax()
                self.amax.copy_(torch.where(self.amax == 0, m, self.amax + self.momentum * (m - self.amax)))
        if not self.enabled:
            return x
        return RoundSTE.apply(x, (self.amax / 127).clamp(min=1e-8), -128, 127)


class QConv(nn.Conv2d):
    @classmethod
    def from_float(cls, c):
        q = cls(c.in_channels, c.out_channels, c.kernel_size, c.stride, c.padding, c.dilation, c.groups, c.bias is not None)
        q.load_state_dict(c.state_dict())
        q.act, q.quant = ActQuant(), False
        return q

    def forward(self, x):
        x = self.act(x)
        w = self.weight
        if self.quant:
            scale = w.detach().abs().amax((1, 2, 3), keepdim=True).clamp(min=1e-8) / 127
            w = RoundSTE.apply(w, scale, -127, 127)
        return self._conv_forward(x, w, self.bias)


def convert(mod):
    for name, child in mod.named_children():
        if type(child) is nn.Conv2d:
            setattr(mod, name, QConv.from_float(child))
        else:
            convert(child)


def set_quant(model, on):
    for m in model.modules():
        if isinstance(m, QConv):
            m.quant = on
            m.act.enabled = on


def freeze_bn(model):
    for m in model.modules():
        if isinstance(m, nn.BatchNorm2d):
            m.eval()


def int8_size(model):
    return sum(m.weight.numel() + 4 * m.out_channels for m in model.modules() if isinstance(m, QConv)) / 2**20


def run_steps(model, opt, n, tag, frozen_from=None):
    model.train()
    for i in range(n):
        if frozen_from is not None and i >= frozen_from:
            freeze_bn(model)
        x = torch.randn(BATCH, 3, IMG, IMG, device=device)
        y = torch.randint(CLASSES, (BATCH,), device=device)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{tag} {i}: loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(18)
    model = mobilenet_v2(weights=None, num_classes=CLASSES)
    convert(model)
    model.to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=4e-5)
    run_steps(model, opt, FLOAT_STEPS, "calibrate")
    set_quant(model, True)
    for g in opt.param_groups:
        g["lr"] = 1e-3
    torch.cuda.reset_peak_memory_stats()
    run_steps(model, opt, QAT_STEPS, "qat", frozen_from=QAT_STEPS - 2)
    model.eval()
    x = torch.randn(4 * BATCH, 3, IMG, IMG, device=device)
    with torch.no_grad():
        quantized = model(x)
        set_quant(model, False)
        floating = model(x)
    snr = 10 * torch.log10(floating.pow(2).mean() / (floating - quantized).pow(2).mean().clamp(min=1e-12))
    print(f"agreement {(quantized.argmax(1) == floating.argmax(1)).float().mean().item():.3f} sqnr {snr.item():.1f} dB")
    print(f"int8 weights {int8_size(model):.2f} MiB, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
