"""Quantisation-aware training (LSQ, custom STE) of a timm MobileNet with a ResNet teacher; channels_last, cudnn.benchmark."""
import copy
import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.models import resnet50

torch.manual_seed(4)
torch.backends.cudnn.benchmark = True


class LSQ(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s, lo, hi, g):
        q = x / s
        ctx.save_for_backward(q, s)
        ctx.cfg = (lo, hi, g)
        return q.round().clamp(lo, hi) * s

    @staticmethod
    def backward(ctx, go):
        q, s = ctx.saved_tensors
        lo, hi, g = ctx.cfg
        inside = (q >= lo) & (q <= hi)
        gs = torch.where(inside, q.round() - q, q.clamp(lo, hi)) * go * g
        return go * inside, gs.sum().view_as(s), None, None, None


class QConv(nn.Conv2d):
    bits = 4

    @classmethod
    def wrap(cls, m):
        q = cls(m.in_channels, m.out_channels, m.kernel_size, m.stride, m.padding, m.dilation, m.groups, m.bias is not None)
        q.weight = m.weight
        q.bias = m.bias
        q.sw = nn.Parameter(2 * m.weight.detach().abs().mean() / (2 ** (cls.bits - 1) - 1) ** 0.5)
        q.sa = nn.Parameter(torch.tensor(0.1))
        return q

    def forward(self, x):
        hi = 2 ** (self.bits - 1) - 1
        w = LSQ.apply(self.weight, self.sw, -hi - 1, hi, (self.weight.numel() * hi) ** -0.5)
        a = LSQ.apply(x, self.sa, -128, 127, (x[0].numel() * 127) ** -0.5)
        return F.conv2d(a, w, self.bias, self.stride, self.padding, self.dilation, self.groups)


def quantise(model, skip):
    for name, m in list(model.named_modules()):
        for cn, c in list(m.named_children()):
            full = f"{name}.{cn}" if name else cn
            if type(c) is nn.Conv2d and full not in skip:
                setattr(m, cn, QConv.wrap(c))
    return model


def main():
    BATCH = 40
    SIZE = 160
    STEPS = 5
    CLASSES = 100
    dev = torch.device("cuda")
    teacher = resnet50(num_classes=CLASSES).to(dev, memory_format=torch.channels_last).eval().requires_grad_(False)
    fp = timm.create_model("mobilenetv2_100", pretrained=False, num_classes=CLASSES)
    student = quantise(copy.deepcopy(fp), {"conv_stem"}).to(dev, memory_format=torch.channels_last)
    print("quantised convs:", sum(isinstance(m, QConv) for m in student.modules()))
    scales = [p for n, p in student.named_parameters() if n.endswith((".sw", ".sa"))]
    sid = {id(p) for p in scales}
    opt = torch.optim.RMSprop([{"params": [p for p in student.parameters() if id(p) not in sid], "weight_decay": 1e-5},
                               {"params": scales, "lr": 1e-4}], lr=1e-3, momentum=0.9, alpha=0.9)
    for step in range(STEPS):
        x = torch.randn(BATCH, 3, SIZE, SIZE, device=dev).contiguous(memory_format=torch.channels_last)
        y = torch.randint(0, CLASSES, (BATCH,), device=dev)
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
            t = teacher(x)
        student.train()
        s = student(x)
        kd = F.kl_div(F.log_softmax(s / 4, 1), F.softmax(t.float() / 4, 1), reduction="batchmean") * 16
        loss = 0.9 * kd + 0.1 * F.cross_entropy(s, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(student.parameters(), 5.0)
        opt.step()
        with torch.no_grad():
            for p in scales:
                p.clamp_(min=1e-5)
        print(f"step {step} kd {kd.item():.4f} loss {loss.item():.4f}")
    student.eval()
    with torch.no_grad():
        agree = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()
    print("agreement", agree, "peak GB", torch.cuda.max_memory_allocated() / 1e9)


if __name__ == "__main__":
    main()
