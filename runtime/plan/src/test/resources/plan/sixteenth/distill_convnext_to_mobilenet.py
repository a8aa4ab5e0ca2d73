# Knowledge distillation: ConvNeXt-Tiny teacher -> MobileNetV3-Large student
# loss = alpha * CE + (1 - alpha) * T^2 * KL + beta * feature MSE (through forward hooks)
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision.models import convnext_tiny, mobilenet_v3_large

SEED = 7
CLASSES = 37
BATCH = 32
SIZE = 224
STEPS = 5
TEMP = 4.0
ALPHA = 0.3
BETA = 0.05
device = "cuda"


class Distiller(nn.Module):
    def __init__(self, teacher, student):
        super().__init__()
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.proj = nn.Conv2d(960, 768, 1)
        self.feats = {}
        teacher.features.register_forward_hook(self._save("t"))
        student.features.register_forward_hook(self._save("s"))

    def _save(self, key):
        def hook(_m, _i, out):
            self.feats[key] = out
        return hook

    def train(self, mode=True):
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, x, y):
        with torch.no_grad():
            t_logits = self.teacher(x)
        s_logits = self.student(x)
        ce = F.cross_entropy(s_logits, y)
        kl = F.kl_div(
            F.log_softmax(s_logits / TEMP, -1), F.softmax(t_logits / TEMP, -1), reduction="batchmean"
        ) * TEMP**2
        feat = F.mse_loss(self.proj(self.feats["s"]), self.feats["t"])
        self.feats.clear()
        return ALPHA * ce + (1 - ALPHA) * kl + BETA * feat, s_logits


def make_loader(n, seed, shuffle):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 3, SIZE, SIZE, generator=g)
    y = torch.randint(0, CLASSES, (n,), generator=g)
    return DataLoader(TensorDataset(x, y), batch_size=BATCH, shuffle=shuffle)


def main():
    torch.manual_seed(SEED)
    teacher = convnext_tiny(weights=None, num_classes=CLASSES)
    student = mobilenet_v3_large(weights=None, num_classes=CLASSES)
    model = Distiller(teacher, student).to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=0.05, momentum=0.9, weight_decay=4e-5)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=STEPS)
    train, val = make_loader(BATCH * STEPS, 0, True), make_loader(BATCH + 8, 1, False)

    model.train()
    for it, (x, y) in enumerate(train):
        x, y = x.to(device), y.to(device)
        loss, logits = model(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        acc = (logits.argmax(1) == y).float().mean()
        print(f"it {it} loss {loss.item():.4f} acc {acc.item():.3f} lr {sched.get_last_lr()[0]:.4f}")

    model.eval()
    hits = 0
    with torch.inference_mode():
        for x, y in val:
            hits += (model.student(x.to(device)).argmax(1).cpu() == y).sum().item()
    print("val acc", hits / len(val.dataset))
    print(f"allocated peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB, "
          f"reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
