"""Quantisation-aware training of MobileNetV2: learned step size (LSQ) for weights and activations, 4/8 bit.

The convolution layers are swapped in place by fake-quantised ones after a short float warm-up.
"""
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import mobilenet_v2

W_BITS, A_BITS = 4, 8
BATCH = 48
SIDE = 160
CLASSES = 50
FLOAT_STEPS, QAT_STEPS = 2, 4


class LSQ(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step, qn, qp, g):
        v = x / step
        ctx.save_for_backward(x, step)
        ctx.args = (qn, qp, g)
        return v.clamp(qn, qp).round() * step

    @staticmethod
    def backward(ctx, grad):
        x, step = ctx.saved_tensors
        qn, qp, g = ctx.args
        v = x / step
        low, high = v < qn, v > qp
        mid = ~(low | high)
        gx = grad * mid
        gs = torch.where(low, float(qn), torch.where(high, float(qp), v.round() - v))
        return gx, (gs * grad).sum().reshape(step.shape) * g, None, None, None


class Quantizer(nn.Module):
    def __init__(self, bits, signed):
        super().__init__()
        self.qn, self.qp = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if signed else (0, 2 ** bits - 1)
        self.step = nn.Parameter(torch.ones(1))
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.step.fill_((2 * x.abs().mean() / self.qp ** 0.5).clamp(min=1e-5).item())
                self.ready.fill_(True)
        return LSQ.apply(x, self.step, self.qn, self.qp, 1.0 / (x.numel() * self.qp) ** 0.5)


class QConv(nn.Conv2d):
    @classmethod
    def wrap(cls, conv, first):
        q = cls(conv.in_channels, conv.out_channels, conv.kernel_size, conv.stride, conv.padding, conv.dilation,
                conv.groups, conv.bias is not None).to(conv.weight.device)
        q.load_state_dict(conv.state_dict())
        q.wq = Quantizer(8 if first else W_BITS, True).to(conv.weight.device)
        q.aq = Quantizer(A_BITS, True).to(conv.weight.device)
        return q

    def forward(self, x):
        return F.conv2d(self.aq(x), self.wq(self.weight), self.bias, self.stride, self.padding, self.dilation,
                        self.groups)


def convert(module, seen=0):
    for name, child in module.named_children():
        if isinstance(child, nn.Conv2d):
            setattr(module, name, QConv.wrap(child, first=seen == 0))
            seen += 1
        else:
            seen = convert(child, seen)
    return seen


def train(model, opt, batches, tag):
    model.train()
    for i, (x, y) in enumerate(batches):
        x, y = x.to("cuda"), y.to("cuda")
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{tag} {i} loss {loss.item():.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def loader(steps, seed):
    g = torch.Generator().manual_seed(seed)
    n = steps * BATCH
    return DataLoader(TensorDataset(torch.randn(n, 3, SIDE, SIDE, generator=g),
                                    torch.randint(0, CLASSES, (n,), generator=g)), batch_size=BATCH)


def main():
    torch.manual_seed(48)
    model = mobilenet_v2(weights=None, num_classes=CLASSES).to("cuda")
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=4e-5)
    train(model, opt, loader(FLOAT_STEPS, 0), "float")

    n = convert(model)
    print(f"{n} convolutions now fake-quantised (w{W_BITS}a{A_BITS})")
    steps = [p for k, p in model.named_parameters() if k.endswith(".step")]
    others = [p for k, p in model.named_parameters() if not k.endswith(".step")]
    opt = torch.optim.SGD([{"params": others, "lr": 0.01}, {"params": steps, "lr": 0.001}], momentum=0.9)
    train(model, opt, loader(QAT_STEPS, 1), "qat")

    model.eval()
    with torch.no_grad():
        out = model(torch.randn(BATCH * 2, 3, SIDE, SIDE, device="cuda"))
        codes = {k: (m.weight / m.wq.step).round().clamp(m.wq.qn, m.wq.qp).to(torch.int8).cpu()
                 for k, m in model.named_modules() if isinstance(m, QConv)}
    with tempfile.NamedTemporaryFile(suffix=".pt", delete=False) as f:
        torch.save(codes, f.name)
    print(f"int8 file {os.path.getsize(f.name) / 2**20:.1f} MiB, output {tuple(out.shape)}")
    os.unlink(f.name)


if __name__ == "__main__":
    main()
