"""Knowledge distillation resnet101 -> mobilenet: logits KD + intermediate features grabbed by forward hooks."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import mobilenet_v3_large, resnet101


class FeatureTap:
    """Remembers the output of named submodules."""

    def __init__(self, model, names):
        self.out = {}
        self.handles = []
        for n in names:
            m = model.get_submodule(n)
            self.handles.append(m.register_forward_hook(self._make(n)))

    def _make(self, name):
        def hook(module, inputs, output):
            self.out[name] = output
        return hook

    def close(self):
        for h in self.handles:
            h.remove()


class Distiller(nn.Module):
    def __init__(self, student, teacher, pairs, T=4.0, alpha=0.7, beta=50.0):
        super().__init__()
        self.student = student
        self.teacher = teacher.eval().requires_grad_(False)
        self.pairs, self.T, self.alpha, self.beta = pairs, T, alpha, beta
        self.s_tap = FeatureTap(student, [p[0] for p in pairs])
        self.t_tap = FeatureTap(teacher, [p[1] for p in pairs])
        self.adapters = nn.ModuleList(nn.Conv2d(p[2], p[3], 1, bias=False) for p in pairs)

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, x, y):
        with torch.no_grad():
            t_logits = self.teacher(x)
        s_logits = self.student(x)
        ce = F.cross_entropy(s_logits, y)
        kd = F.kl_div(F.log_softmax(s_logits / self.T, 1), F.log_softmax(t_logits / self.T, 1),
                      log_target=True, reduction="batchmean") * self.T ** 2
        feat = 0.0
        for (s, t, _, _), adapter in zip(self.pairs, self.adapters):
            fs, ft = adapter(self.s_tap.out[s]), self.t_tap.out[t]
            if fs.shape[-1] != ft.shape[-1]:
                fs = F.interpolate(fs, size=ft.shape[-2:], mode="bilinear", align_corners=False)
            feat = feat + F.mse_loss(F.normalize(fs, dim=1), F.normalize(ft, dim=1))
        return (1 - self.alpha) * ce + self.alpha * kd + self.beta * feat, {"ce": ce, "kd": kd, "feat": feat}


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    classes, size, bs = 100, 192, 64
    x = torch.randn(bs * 3, 3, size, size)
    y = torch.randint(0, classes, (bs * 3,))
    loader = DataLoader(TensorDataset(x, y), batch_size=bs, shuffle=True)

    student = mobilenet_v3_large(weights=None, num_classes=classes)
    teacher = resnet101(weights=None, num_classes=classes)
    pairs = [("features.6", "layer2", 40, 512), ("features.12", "layer3", 112, 1024)]
    d = Distiller(student, teacher, pairs).to(device)

    grads = {}
    student.classifier[3].register_full_backward_hook(
        lambda m, gi, go: grads.__setitem__("head", go[0].norm().item()))

    opt = torch.optim.AdamW(list(student.parameters()) + list(d.adapters.parameters()), lr=1e-3)
    for epoch in range(1):
        d.train()
        for i, (xb, yb) in enumerate(loader):
            xb, yb = xb.to(device), yb.to(device)
            loss, parts = d(xb, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(i, f"loss {loss.item():.3f}", {k: round(v.item(), 4) for k, v in parts.items()},
                  f"head grad {grads['head']:.4f}")

    d.eval()
    with torch.no_grad():
        agree = (student(xb).argmax(1) == teacher(xb).argmax(1)).float().mean().item()
    print("agreement with teacher", agree)
    d.s_tap.close()
    d.t_tap.close()


main()
