"""DINO self-distillation with a timm ViT-S/16: 2 global + 6 local crops, centring, teacher EMA, cosine schedules."""
import math

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from torchvision.transforms import v2

BATCH, LOCALS, OUT, STEPS = 16, 6, 16384, 4
STUDENT_T, TEACHER_T = 0.1, 0.04
ARCH = "vit_small_patch16_224"


class Head(nn.Module):
    def __init__(self, dim, out, hidden=1024, bottleneck=256):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU(),
                                 nn.Linear(hidden, bottleneck))
        self.last = nn.utils.parametrizations.weight_norm(nn.Linear(bottleneck, out, bias=False))

    def forward(self, x):
        return self.last(F.normalize(self.mlp(x), dim=-1))


class Wrapper(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = timm.create_model(ARCH, pretrained=False, num_classes=0, dynamic_img_size=True,
                                          drop_path_rate=0.1)
        self.head = Head(self.backbone.num_features, OUT)

    def forward(self, crops):
        # one pass per resolution, then a single head pass
        sizes = [c.shape[-1] for c in crops]
        feats, start = [], 0
        for i in range(1, len(crops) + 1):
            if i == len(crops) or sizes[i] != sizes[start]:
                feats.append(self.backbone(torch.cat(crops[start:i])))
                start = i
        return self.head(torch.cat(feats))


aug_global = v2.Compose([v2.RandomResizedCrop(224, (0.4, 1.0), antialias=True), v2.RandomHorizontalFlip()])
aug_local = v2.Compose([v2.RandomResizedCrop(96, (0.05, 0.4), antialias=True), v2.RandomHorizontalFlip()])


def cosine(a, b, i, n):
    return b + 0.5 * (a - b) * (1 + math.cos(math.pi * i / n))


def main():
    torch.manual_seed(66)
    dev = "cuda"
    student, teacher = Wrapper().to(dev), Wrapper().to(dev)
    teacher.load_state_dict(student.state_dict())
    teacher.requires_grad_(False)
    center = torch.zeros(1, OUT, device=dev)
    opt = torch.optim.AdamW(student.parameters(), lr=5e-4, weight_decay=0.04)
    scaler = torch.amp.GradScaler(dev)
    for it in range(STEPS):
        img = torch.rand(BATCH, 3, 256, 256, device=dev)
        crops = [aug_global(img) for _ in range(2)] + [aug_local(img) for _ in range(LOCALS)]
        for g in opt.param_groups:
            g["weight_decay"] = cosine(0.04, 0.4, it, STEPS)
        with torch.autocast(dev, dtype=torch.float16):
            with torch.no_grad():
                t_out = teacher(crops[:2])
            s_out = student(crops)
        t = F.softmax((t_out.float() - center) / TEACHER_T, -1).chunk(2)
        s = F.log_softmax(s_out.float() / STUDENT_T, -1).chunk(2 + LOCALS)
        terms = [-(t[i] * s[j]).sum(-1).mean() for i in range(2) for j in range(len(s)) if i != j]
        loss = sum(terms) / len(terms)
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(student.parameters(), 3.0)
        for p in student.head.last.parameters():
            p.grad = None                       # last layer frozen in the first epoch
        scaler.step(opt)
        scaler.update()
        with torch.no_grad():
            center.mul_(0.9).add_(t_out.float().mean(0, keepdim=True), alpha=0.1)
            m = cosine(0.996, 1.0, it, STEPS)
            for a, b in zip(teacher.parameters(), student.parameters()):
                a.mul_(m).add_(b, alpha=1 - m)
        print(f"it {it} loss {loss.item():.4f}")
    print("peak MiB", torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
