"""Knowledge distillation: frozen ViT-S teacher (fp16) -> MobileNetV3 student.

Logit KD + attention to intermediate features, which are grabbed by forward hooks on both nets.
"""
import timm
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tap:
    """Keeps the last output of some sub-modules."""

    def __init__(self, model, names):
        self.store = {}
        self.handles = []
        modules = dict(model.named_modules())
        for n in names:
            self.handles.append(modules[n].register_forward_hook(self._hook(n)))

    def _hook(self, name):
        def fn(module, inputs, output):
            self.store[name] = output
        return fn

    def pop(self):
        out, self.store = self.store, {}
        return list(out.values())

    def close(self):
        for h in self.handles:
            h.remove()


class Adapter(nn.Module):
    """student feature map -> teacher token grid"""

    def __init__(self, cin, cout, grid):
        super().__init__()
        self.grid = grid
        self.proj = nn.Sequential(nn.Conv2d(cin, cout, 1, bias=False), nn.BatchNorm2d(cout))

    def forward(self, fmap):
        return F.adaptive_avg_pool2d(self.proj(fmap), self.grid).flatten(2).transpose(1, 2)


def kd_loss(s, t, tau):
    return F.kl_div(F.log_softmax(s / tau, 1), F.softmax(t / tau, 1), reduction="batchmean") * tau ** 2


def main():
    torch.manual_seed(404)
    device = "cuda"
    batch, steps, classes, tau = 64, 6, 120, 4.0
    teacher = timm.create_model("vit_small_patch16_224", pretrained=False, num_classes=classes)
    teacher = teacher.to(device).half().eval()
    for p in teacher.parameters():
        p.requires_grad = False
    student = timm.create_model("mobilenetv3_large_100", pretrained=False, num_classes=classes, drop_rate=0.1)
    student = student.to(device)

    t_tap = Tap(teacher, ["blocks.5", "blocks.11"])
    s_tap = Tap(student, ["blocks.4", "blocks.6"])
    # probe student widths with a dummy image
    with torch.no_grad():
        student.eval()
        student(torch.zeros(1, 3, 224, 224, device=device))
        widths = [f.shape[1] for f in s_tap.pop()]
    adapters = nn.ModuleList(Adapter(w, teacher.embed_dim, 14) for w in widths).to(device)
    print("student widths", widths, "teacher dim", teacher.embed_dim)

    params = list(student.parameters()) + list(adapters.parameters())
    opt = torch.optim.AdamW(params, lr=1e-3, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.SequentialLR(
        opt,
        [torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=2),
         torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps - 2)],
        milestones=[2])

    for step in range(steps):
        student.train()
        x = torch.randn(batch, 3, 224, 224, device=device)
        y = torch.randint(0, classes, (batch,), device=device)
        with torch.no_grad():
            t_logits = teacher(x.half()).float()
            t_feats = [f[:, 1:].float() for f in t_tap.pop()]      # no class token
        s_logits = student(x)
        s_feats = [a(f) for a, f in zip(adapters, s_tap.pop())]
        hard = F.cross_entropy(s_logits, y, label_smoothing=0.1)
        soft = kd_loss(s_logits, t_logits, tau)
        feat = sum(1 - F.cosine_similarity(a, b, dim=-1).mean() for a, b in zip(s_feats, t_feats))
        loss = 0.3 * hard + 0.7 * soft + feat
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        print(f"{step}: hard {hard.item():.3f} soft {soft.item():.3f} feat {feat.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    s_tap.close()
    t_tap.close()
    student.eval()
    agree = 0
    with torch.inference_mode():
        for _ in range(2):
            x = torch.randn(batch, 3, 224, 224, device=device)
            agree += (student(x).argmax(1) == teacher(x.half()).argmax(1)).float().mean().item() / 2
    print(f"agreement with teacher {agree:.3f}")


if __name__ == "__main__":
    main()
