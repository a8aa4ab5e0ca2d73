"""Knowledge distillation: frozen ViT-B/16 teacher -> MobileNetV3 student. KL on logits + hint on pooled features."""
import argparse

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F

p = argparse.ArgumentParser()
p.add_argument("--teacher", default="vit_base_patch16_224")
p.add_argument("--student", default="mobilenetv3_large_100")
p.add_argument("--classes", type=int, default=100)
p.add_argument("--batch", type=int, default=64)
p.add_argument("--size", type=int, default=224)
p.add_argument("--steps", type=int, default=6)
p.add_argument("--temp", type=float, default=4.0)
p.add_argument("--alpha", type=float, default=0.7)
p.add_argument("--lr", type=float, default=2e-3)


class Distiller(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.hint = nn.Linear(student.head_hidden_size, teacher.num_features)

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            tf = self.teacher.forward_head(self.teacher.forward_features(x), pre_logits=True)
            tl = self.teacher.get_classifier()(tf)
        sf = self.student.forward_head(self.student.forward_features(x), pre_logits=True)
        sl = self.student.get_classifier()(sf)
        return tl, tf, sl, self.hint(sf)


def kd_loss(tl, tf, sl, sf, y, temp, alpha):
    soft = F.kl_div(
        F.log_softmax(sl.float() / temp, -1), F.log_softmax(tl.float() / temp, -1), log_target=True, reduction="batchmean"
    ) * temp**2
    hard = F.cross_entropy(sl.float(), y)
    hint = 1 - F.cosine_similarity(sf.float(), tf.float()).mean()
    return alpha * soft + (1 - alpha) * hard + 0.1 * hint, (soft.item(), hard.item(), hint.item())


def batches(n, a, device, seed):
    g = torch.Generator(device=device).manual_seed(seed)
    for _ in range(n):
        y = torch.randint(0, a.classes, (a.batch,), device=device, generator=g)
        x = torch.randn(a.batch, 3, a.size, a.size, device=device, generator=g)
        x += (y.float() / a.classes).view(-1, 1, 1, 1)
        yield x, y


def main():
    a = p.parse_args()
    torch.manual_seed(8)
    device = torch.device("cuda")
    teacher = timm.create_model(a.teacher, pretrained=False, num_classes=a.classes, img_size=a.size)
    student = timm.create_model(a.student, pretrained=False, num_classes=a.classes, drop_rate=0.2)
    model = Distiller(teacher, student).to(device)
    n_t = sum(q.numel() for q in teacher.parameters()) / 1e6
    n_s = sum(q.numel() for q in student.parameters()) / 1e6
    print(f"teacher {n_t:.1f}M student {n_s:.1f}M")

    train_params = [q for q in model.parameters() if q.requires_grad]
    opt = torch.optim.RMSprop(train_params, lr=a.lr, alpha=0.9, momentum=0.9, eps=1e-3, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.97)
    model.train()
    for i, (x, y) in enumerate(batches(a.steps, a, device, 0)):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = model(x)
        loss, parts = kd_loss(*out, y, a.temp, a.alpha)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"{i} loss {loss.item():.3f} soft {parts[0]:.3f} hard {parts[1]:.3f} hint {parts[2]:.3f}")

    student.eval()
    agree = n = 0
    with torch.inference_mode():
        for x, y in batches(2, a, device, 1):
            agree += (student(x).argmax(1) == teacher(x).argmax(1)).sum().item()
            n += len(y)
    print(f"teacher/student agreement {agree / n:.3f}; peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
