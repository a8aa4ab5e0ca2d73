"""Quantization-aware training of ResNet-18 with learned step sizes (LSQ), straight-through rounding."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet18

BITS_W, BITS_A = 4, 8
BATCH, STEPS, CLASSES, SIZE = 32, 6, 50, 160
torch.backends.cudnn.benchmark = True
device = "cuda"


class LSQFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s, qn, qp, grad_scale):
        q = x / s
        ctx.save_for_backward(q, s)
        ctx.qn, ctx.qp, ctx.gs = qn, qp, grad_scale
        return q.clamp(qn, qp).round() * s

    @staticmethod
    def backward(ctx, g):
        q, s = ctx.saved_tensors
        lo, hi = q <= ctx.qn, q >= ctx.qp
        mid = ~(lo | hi)
        gx = g * mid
        gs = torch.where(mid, q.round() - q, torch.where(lo, torch.full_like(q, ctx.qn), torch.full_like(q, ctx.qp)))
        return gx, (g * gs).sum().view_as(s) * ctx.gs, None, None, None


class Quantizer(nn.Module):
    def __init__(self, bits, signed):
        super().__init__()
        self.qn, self.qp = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        self.s = nn.Parameter(torch.tensor(1.0))
        self.register_buffer("ready", torch.tensor(False))

    def forward(self, x):
        if not self.ready:
            self.s.data.copy_(2 * x.detach().abs().mean() / self.qp**0.5 + 1e-6)
            self.ready.fill_(True)
        return LSQFunction.apply(x, self.s, self.qn, self.qp, (x.numel() * self.qp) ** -0.5)


class QConv2d(nn.Conv2d):
    @classmethod
    def from_float(cls, c, signed_input):
        q = cls(c.in_channels, c.out_channels, c.kernel_size, c.stride, c.padding, c.dilation, c.groups, c.bias is not None)
        q.load_state_dict(c.state_dict())
        q.wq, q.aq = Quantizer(BITS_W, True), Quantizer(BITS_A, signed_input)
        return q

    def forward(self, x):
        return self._conv_forward(self.aq(x), self.wq(self.weight), self.bias)


def convert(model):
    for name, m in list(model.named_modules()):
        if type(m) is nn.Conv2d and name != "conv1":
            parent = model.get_submodule(name.rpartition(".")[0])
            setattr(parent, name.rpartition(".")[2], QConv2d.from_float(m, signed_input=False))
    return model


def batch(gen):
    y = torch.randint(0, CLASSES, (BATCH,), generator=gen)
    x = torch.randn(BATCH, 3, SIZE, SIZE, generator=gen) + (y / CLASSES).view(-1, 1, 1, 1)
    return x.to(device), y.to(device)


def train(model, steps, lr, gen, tag):
    scales = [p for n, p in model.named_parameters() if n.endswith(".s")]
    rest = [p for n, p in model.named_parameters() if not n.endswith(".s")]
    groups = [{"params": rest, "weight_decay": 1e-4}]
    if scales:
        groups.append({"params": scales, "lr": lr * 0.1})
    opt = torch.optim.SGD(groups, lr=lr, momentum=0.9)
    model.train()
    for i in range(steps):
        x, y = batch(gen)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{tag} {i} loss {loss.item():.4f}")


@torch.no_grad()
def accuracy(model, gen):
    model.eval()
    x, y = batch(gen)
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    model = resnet18(weights=None, num_classes=CLASSES).to(device)
    train(model, 3, 0.05, gen, "float")
    print("float peak MiB", torch.cuda.max_memory_allocated() // 2**20, "acc", accuracy(model, gen))
    qmodel = convert(copy.deepcopy(model)).to(device)
    del model
    torch.cuda.empty_cache()
    train(qmodel, STEPS, 0.01, gen, "qat")
    print("qat acc", accuracy(qmodel, gen), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)
    steps = [m.s.item() for m in qmodel.modules() if isinstance(m, Quantizer)]
    print("step sizes min/max %.5f %.5f" % (min(steps), max(steps)))


if __name__ == "__main__":
    main()
