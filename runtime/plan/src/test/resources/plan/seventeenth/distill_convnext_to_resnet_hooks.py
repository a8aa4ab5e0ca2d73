"""Knowledge distillation: ConvNeXt-Tiny (teacher, fp16, frozen) -> ResNet-18 (student).
Features are taken by forward hooks; loss = CE + KL(T=4) + MSE of projected features."""
import argparse
import os
import tempfile

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Tap:
    """collects outputs of named submodules"""

    def __init__(self, model, names):
        self.out, self.handles = {}, []
        modules = dict(model.named_modules())
        for n in names:
            self.handles.append(modules[n].register_forward_hook(self._make(n)))

    def _make(self, name):
        def hook(_, __, output):
            self.out[name] = output
        return hook

    def pop(self):
        o, self.out = self.out, {}
        return list(o.values())

    def close(self):
        for h in self.handles:
            h.remove()


def kd_loss(s, t, T=4.0):
    return F.kl_div(F.log_softmax(s / T, 1), F.softmax(t / T, 1), reduction="batchmean") * T * T


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--img", type=int, default=224)
    ap.add_argument("--classes", type=int, default=100)
    ap.add_argument("--images", type=int, default=256)
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--alpha", type=float, default=0.7)
    ap.add_argument("--beta", type=float, default=0.5)
    a = ap.parse_args()
    dev = "cuda"
    torch.manual_seed(6)

    teacher = timm.create_model("convnext_tiny", pretrained=False, num_classes=a.classes)
    teacher = teacher.to(dev).to(torch.float16).eval().requires_grad_(False)
    student = timm.create_model("resnet18", pretrained=False, num_classes=a.classes).to(dev)
    t_tap = Tap(teacher, ["stages.1", "stages.2", "stages.3"])
    s_tap = Tap(student, ["layer2", "layer3", "layer4"])
    proj = nn.ModuleList(nn.Conv2d(i, o, 1) for i, o in [(128, 192), (256, 384), (512, 768)]).to(dev)

    opt = torch.optim.SGD([{"params": student.parameters()}, {"params": proj.parameters(), "lr": 0.02}],
                          lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [1], 0.1)
    data = TensorDataset(torch.randn(a.images, 3, a.img, a.img), torch.randint(a.classes, (a.images,)))
    loader = DataLoader(data, batch_size=a.batch, shuffle=True)

    with tempfile.TemporaryDirectory() as tmp:
        for ep in range(a.epochs):
            student.train()
            sums = torch.zeros(3, device=dev)
            for x, y in loader:
                x, y = x.to(dev), y.to(dev)
                with torch.no_grad():
                    t_logits = teacher(x.to(torch.float16)).float()
                s_logits = student(x)
                feat = sum(F.mse_loss(p(s), t.float()) for p, s, t in zip(proj, s_tap.pop(), t_tap.pop()))
                ce, kd = F.cross_entropy(s_logits, y), kd_loss(s_logits, t_logits)
                loss = (1 - a.alpha) * ce + a.alpha * kd + a.beta * feat
                opt.zero_grad(set_to_none=True)
                loss.backward()
                opt.step()
                sums += torch.stack([ce.detach(), kd.detach(), feat.detach()])
            sched.step()
            ce, kd, ft = (sums / len(loader)).tolist()
            torch.save(student.state_dict(), os.path.join(tmp, "student.pt"))
            print(f"epoch {ep} ce {ce:.3f} kd {kd:.3f} feat {ft:.3f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    t_tap.close()
    s_tap.close()
    student.eval()
    with torch.inference_mode():
        acc = [(student(x.to(dev)).argmax(1).cpu() == y).float().mean().item() for x, y in loader]
    print("train accuracy", sum(acc) / len(acc))


if __name__ == "__main__":
    main()
