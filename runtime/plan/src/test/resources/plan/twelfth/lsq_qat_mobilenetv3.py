"""Quantisation-aware training with learned step size (LSQ, 4-bit weights / 8-bit activations) on MobileNetV3-Large."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v3_large

BATCH, SIDE, STEPS, CALIB = 32, 192, 5, 2
dev = torch.device("cuda")


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class LSQ(nn.Module):
    def __init__(self, bits, signed, per_channel=None):
        super().__init__()
        self.lo, self.hi = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        self.per_channel = per_channel
        self.step = nn.Parameter(torch.ones(per_channel or 1))
        self.register_buffer("ready", torch.zeros((), dtype=torch.bool))

    def init_from(self, x):
        v = x.detach().abs()
        v = v.flatten(1).mean(1) if self.per_channel else v.mean()
        self.step.data.copy_(2 * v / self.hi**0.5 + 1e-6)
        self.ready.fill_(True)

    def forward(self, x):
        if not self.ready:
            self.init_from(x)
        g = 1.0 / (x.numel() * self.hi) ** 0.5
        s = self.step * g + (self.step * (1 - g)).detach()
        s = s.view(-1, *[1] * (x.dim() - 1)) if self.per_channel else s
        return RoundSTE.apply((x / s).clamp(self.lo, self.hi)) * s


class QConv(nn.Module):
    def __init__(self, conv):
        super().__init__()
        self.conv = conv
        self.wq = LSQ(4, True, conv.out_channels)
        self.aq = LSQ(8, True)

    def forward(self, x):
        c = self.conv
        return F.conv2d(self.aq(x), self.wq(c.weight), c.bias, c.stride, c.padding, c.dilation, c.groups)


def convert(module, skip_first=True):
    state = {"first": skip_first}

    def rec(m):
        for n, ch in m.named_children():
            if isinstance(ch, nn.Conv2d):
                if state["first"]:
                    state["first"] = False
                    continue
                setattr(m, n, QConv(ch))
            else:
                rec(ch)
    rec(module)
    return module


def batches(n, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        x = torch.randn(BATCH, 3, SIDE, SIDE, generator=g).contiguous(memory_format=torch.channels_last)
        yield x.to(dev), torch.randint(0, 1000, (BATCH,), generator=g).to(dev)


def main():
    torch.manual_seed(4)
    model = convert(mobilenet_v3_large(weights=None)).to(dev, memory_format=torch.channels_last)
    model.eval()
    with torch.no_grad():
        for x, _ in batches(CALIB, 1):
            model(x)
    steps = [p for n, p in model.named_parameters() if n.endswith(".step")]
    rest = [p for n, p in model.named_parameters() if not n.endswith(".step")]
    opt = torch.optim.RMSprop([{"params": rest, "weight_decay": 1e-5}, {"params": steps, "lr": 1e-4}],
                              lr=1e-3, alpha=0.9, momentum=0.9, eps=1e-3)
    model.train()
    for it, (x, y) in enumerate(batches(STEPS, 2)):
        loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{it} loss {loss.item():.4f} mean step {torch.stack([s.mean() for s in steps]).mean().item():.5f}")
    model.eval()
    with torch.inference_mode():
        hit = sum((model(x).argmax(1) == y).sum().item() for x, y in batches(2, 3))
    print("top1", hit / (2 * BATCH), "peak", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
