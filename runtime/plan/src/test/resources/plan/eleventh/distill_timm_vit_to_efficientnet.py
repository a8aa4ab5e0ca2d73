# Knowledge distillation with timm: frozen ViT-small teacher (bf16 weights), EfficientNet-lite student.
# Losses: KD on logits, CE, and a hint loss on pooled features taken by a forward hook.
import argparse

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
from timm.data.mixup import Mixup
from timm.loss import SoftTargetCrossEntropy
from timm.scheduler import CosineLRScheduler


def args_():
    p = argparse.ArgumentParser()
    p.add_argument("--teacher", default="vit_small_patch16_224")
    p.add_argument("--student", default="efficientnet_lite0")
    p.add_argument("--img", type=int, default=192)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--classes", type=int, default=100)
    p.add_argument("--steps", type=int, default=6)
    p.add_argument("--tau", type=float, default=3.0)
    p.add_argument("--alpha", type=float, default=0.7)
    p.add_argument("--hint", type=float, default=0.5)
    return p.parse_args()


class Distiller(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.teacher = timm.create_model(a.teacher, pretrained=False, img_size=a.img, num_classes=a.classes).eval()
        self.teacher.requires_grad_(False).to(torch.bfloat16)
        self.student = timm.create_model(a.student, pretrained=False, num_classes=a.classes, drop_rate=0.1, drop_path_rate=0.1)
        self.adapter = nn.Linear(self.student.num_features, self.teacher.num_features)
        self._feat = {}
        self.teacher.fc_norm.register_forward_hook(lambda m, i, o: self._feat.__setitem__("t", o))
        self.student.global_pool.register_forward_hook(lambda m, i, o: self._feat.__setitem__("s", o))

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            t = self.teacher(x.to(torch.bfloat16)).float()
        s = self.student(x)
        hint = F.mse_loss(F.normalize(self.adapter(self._feat["s"]), dim=-1),
                          F.normalize(self._feat["t"].float(), dim=-1))
        self._feat.clear()
        return s, t, hint


def main():
    a = args_()
    torch.manual_seed(70)
    dev = torch.device("cuda")
    model = Distiller(a).to(dev)
    trainable = list(model.student.parameters()) + list(model.adapter.parameters())
    opt = torch.optim.RMSprop(trainable, lr=1e-3, alpha=0.9, eps=1e-3, momentum=0.9, weight_decay=1e-5)
    sched = CosineLRScheduler(opt, t_initial=a.steps, warmup_t=2, warmup_lr_init=1e-5, t_in_epochs=False)
    mix = Mixup(mixup_alpha=0.2, cutmix_alpha=1.0, num_classes=a.classes, label_smoothing=0.1)
    ce = SoftTargetCrossEntropy()
    print("teacher %.1fM  student %.1fM" % tuple(sum(p.numel() for p in m.parameters()) / 1e6 for m in (model.teacher, model.student)))

    model.train()
    for step in range(a.steps):
        x = torch.randn(a.batch, 3, a.img, a.img, device=dev)
        y = torch.randint(0, a.classes, (a.batch,), device=dev)
        x, soft = mix(x, y)
        with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
            s, t, hint = model(x)
        s = s.float()
        kd = F.kl_div(F.log_softmax(s / a.tau, -1), F.log_softmax(t / a.tau, -1), log_target=True, reduction="batchmean") * a.tau ** 2
        loss = a.alpha * kd + (1 - a.alpha) * ce(s, soft) + a.hint * hint.float()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step_update(step + 1)
        print(f"step {step} kd {kd.item():.4f} hint {hint.item():.5f} loss {loss.item():.3f} "
              f"lr {opt.param_groups[0]['lr']:.1e} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    agree = 0
    with torch.inference_mode():
        for _ in range(3):
            x = torch.randn(a.batch, 3, a.img, a.img, device=dev)
            s, t, _ = model(x)
            agree += (s.argmax(-1) == t.argmax(-1)).float().mean().item() / 3
    print("student/teacher agreement", round(agree, 3))


if __name__ == "__main__":
    main()
