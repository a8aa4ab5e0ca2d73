"""Knowledge distillation: RegNet teacher -> iteratively pruned VGG-11-BN student, features captured by hooks."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune
import timm
from torchvision.models import vgg11_bn

BATCH = 32
SIZE = 176
CLASSES = 50
ROUNDS = 3
STEPS_PER_ROUND = 2
TEMPERATURE = 4.0
ALPHA, BETA = 0.7, 50.0


class FeatureTap:
    """Keeps the last output of named modules."""

    def __init__(self, model, names):
        self.out, self.handles = {}, []
        table = dict(model.named_modules())
        for n in names:
            self.handles.append(table[n].register_forward_hook(self._save(n)))

    def _save(self, name):
        def hook(module, args, output):
            self.out[name] = output
        return hook

    def pop(self):
        o, self.out = self.out, {}
        return o

    def close(self):
        for h in self.handles:
            h.remove()


def attention_map(f):
    return F.normalize(f.float().pow(2).mean(1).flatten(1), dim=1)


def at_loss(fs, ft):
    if fs.shape[-2:] != ft.shape[-2:]:
        fs = F.adaptive_avg_pool2d(fs, ft.shape[-2:])
    return (attention_map(fs) - attention_map(ft)).pow(2).mean()


def kd_loss(s, t, temp):
    return F.kl_div(F.log_softmax(s / temp, 1), F.log_softmax(t / temp, 1), log_target=True, reduction="batchmean") * temp ** 2


def prunable(model):
    return [(m, "weight") for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]


def sparsity(model):
    z = sum((m.weight == 0).sum().item() for m, _ in prunable(model))
    n = sum(m.weight.numel() for m, _ in prunable(model))
    return z / n


def main():
    torch.manual_seed(2)
    dev = torch.device("cuda")
    teacher = timm.create_model("regnety_032", pretrained=False, num_classes=CLASSES).to(dev).eval()
    teacher.requires_grad_(False)
    student = vgg11_bn(weights=None, num_classes=CLASSES)
    student.avgpool = nn.AdaptiveAvgPool2d(1)
    student.classifier = nn.Sequential(nn.Linear(512, 512), nn.ReLU(True), nn.Dropout(0.3), nn.Linear(512, CLASSES))
    student = student.to(dev)
    t_tap = FeatureTap(teacher, ["s2", "s3"])
    s_tap = FeatureTap(student, ["features.14", "features.21"])
    print(f"teacher {sum(p.numel() for p in teacher.parameters()) / 1e6:.1f}M, "
          f"student {sum(p.numel() for p in student.parameters()) / 1e6:.1f}M")

    for rnd in range(ROUNDS):
        if rnd > 0:
            prune.global_unstructured(prunable(student), pruning_method=prune.L1Unstructured, amount=0.4)
        opt = torch.optim.AdamW(student.parameters(), lr=1e-3, weight_decay=1e-4, foreach=True)
        student.train()
        for step in range(STEPS_PER_ROUND):
            x = torch.randn(BATCH, 3, SIZE, SIZE, device=dev)
            y = torch.randint(0, CLASSES, (BATCH,), device=dev)
            with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
                t_logits = teacher(x).float()
            tf = t_tap.pop()
            s_logits = student(x)
            sf = s_tap.pop()
            ce = F.cross_entropy(s_logits, y)
            kd = kd_loss(s_logits, t_logits, TEMPERATURE)
            at = sum(at_loss(a, b) for a, b in zip(sf.values(), tf.values()))
            loss = (1 - ALPHA) * ce + ALPHA * kd + BETA * at
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(student.parameters(), 5.0)
            opt.step()
            print(f"round {rnd} step {step} ce {ce.item():.3f} kd {kd.item():.4f} at {at.item():.5f}")
        print(f"  sparsity {sparsity(student):.3f} memory {torch.cuda.memory_allocated() / 2**20:.0f} MiB")

    t_tap.close()
    s_tap.close()
    for m, name in prunable(student):
        if prune.is_pruned(m):
            prune.remove(m, name)
    student.eval()
    with torch.no_grad():
        x = torch.randn(BATCH * 2, 3, SIZE, SIZE, device=dev)
        agree = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()
    print(f"final sparsity {sparsity(student):.3f}, agreement with the teacher {agree:.3f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
