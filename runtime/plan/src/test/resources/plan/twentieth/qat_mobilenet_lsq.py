"""Quantization-aware training of MobileNetV2 with learned step sizes (LSQ), straight-through rounding, by hand."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import mobilenet_v2

torch.backends.cudnn.benchmark = True
BITS_W, BITS_A = 4, 8
BATCH, RES, CLASSES = 32, 192, 100
FLOAT_STEPS, QAT_STEPS = 2, 4


def grad_scale(x, s):
    return (x - x * s).detach() + x * s


def round_ste(x):
    return (x.round() - x).detach() + x


class LSQ(nn.Module):
    def __init__(self, bits, signed):
        super().__init__()
        self.qn, self.qp = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2 ** bits - 1)
        self.step = nn.Parameter(torch.ones(()))
        self.register_buffer("ready", torch.tensor(False))
        self._init = False

    def forward(self, x):
        if not self._init:
            with torch.no_grad():
                self.step.copy_(2 * x.abs().mean() / self.qp ** 0.5)
                self.ready.fill_(True)
            self._init = True
        g = 1.0 / (x.numel() * self.qp) ** 0.5
        s = grad_scale(self.step, g).abs().clamp_min(1e-8)
        return round_ste((x / s).clamp(self.qn, self.qp)) * s


class QConv2d(nn.Conv2d):
    @classmethod
    def wrap(cls, c, signed_act):
        q = cls(c.in_channels, c.out_channels, c.kernel_size, c.stride, c.padding, c.dilation, c.groups, c.bias is not None)
        q.load_state_dict(c.state_dict())
        q.wq, q.aq = LSQ(BITS_W, True), LSQ(BITS_A, signed_act)
        return q.to(c.weight.device)

    def forward(self, x):
        return F.conv2d(self.aq(x), self.wq(self.weight), self.bias, self.stride, self.padding, self.dilation, self.groups)


class QLinear(nn.Linear):
    @classmethod
    def wrap(cls, l):
        q = cls(l.in_features, l.out_features)
        q.load_state_dict(l.state_dict())
        q.wq, q.aq = LSQ(8, True), LSQ(BITS_A, False)
        return q.to(l.weight.device)

    def forward(self, x):
        return F.linear(self.aq(x), self.wq(self.weight), self.bias)


def convert(module, first=True):
    """Replace all but the very first convolution."""
    for name, child in module.named_children():
        if isinstance(child, nn.Conv2d):
            if not first:
                setattr(module, name, QConv2d.wrap(child, signed_act=True))
            first = False
        elif isinstance(child, nn.Linear):
            setattr(module, name, QLinear.wrap(child))
        else:
            first = convert(child, first)
    return first


def loader(steps, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        yield (torch.randn(BATCH, 3, RES, RES, generator=g).to("cuda"),
               torch.randint(0, CLASSES, (BATCH,), generator=g).to("cuda"))


def fit(model, steps, lr, tag):
    scales = [p for n, p in model.named_parameters() if n.endswith(".step")]
    rest = [p for n, p in model.named_parameters() if not n.endswith(".step")]
    groups = [{"params": rest}]
    if scales:
        groups.append({"params": scales, "lr": lr * 0.1, "weight_decay": 0.0})
    opt = torch.optim.SGD(groups, lr=lr, momentum=0.9, weight_decay=4e-5)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    model.train()
    for i, (x, y) in enumerate(loader(steps, seed=len(tag))):
        loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"[{tag}] {i} loss {loss.item():.4f} mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    torch.manual_seed(40)
    model = mobilenet_v2(weights=None, num_classes=CLASSES).to("cuda")
    fit(model, FLOAT_STEPS, 0.05, "float")
    convert(model)
    with torch.no_grad():
        model.eval()
        for x, _ in loader(1, 9):     # calibration of the activation steps
            model(x)
    n_q = sum(isinstance(m, (QConv2d, QLinear)) for m in model.modules())
    print("quantized layers:", n_q)
    torch.cuda.reset_peak_memory_stats()
    fit(model, QAT_STEPS, 0.005, "qat")
    model.eval()
    with torch.no_grad():
        acc = [(model(x).argmax(1) == y).float().mean().item() for x, y in loader(2, 77)]
    print(f"accuracy {sum(acc) / len(acc):.4f}; QAT peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
