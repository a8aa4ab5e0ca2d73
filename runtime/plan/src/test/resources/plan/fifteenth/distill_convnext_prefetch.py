"""Knowledge distillation: frozen ConvNeXt teacher -> ResNet-18 student, feature hints via hooks, side-stream prefetcher."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from torchvision.models import convnext_small, resnet18

NUM_CLASSES = 100
BATCH = 64
IMG = 192
N = 384
TEMP, ALPHA, HINT = 4.0, 0.7, 0.1
device = torch.device("cuda")


class UInt8Images(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(0)
        self.small = torch.randint(0, 256, (n, 3, IMG // 8, IMG // 8), dtype=torch.uint8, generator=g)
        self.labels = torch.randint(0, NUM_CLASSES, (n,), generator=g)

    def __len__(self):
        return len(self.small)

    def __getitem__(self, i):
        img = self.small[i].repeat_interleave(8, 1).repeat_interleave(8, 2)
        return img, self.labels[i]


class DataPrefetcher:
    """Copies and normalises the next batch on its own stream."""

    def __init__(self, loader):
        self.loader = iter(loader)
        self.stream = torch.cuda.Stream()
        self.mean = torch.tensor([0.485, 0.456, 0.406], device=device).view(1, 3, 1, 1) * 255
        self.std = torch.tensor([0.229, 0.224, 0.225], device=device).view(1, 3, 1, 1) * 255
        self.preload()

    def preload(self):
        try:
            x, y = next(self.loader)
        except StopIteration:
            self.next = None
            return
        with torch.cuda.stream(self.stream):
            x = x.to(device, non_blocking=True).float().sub_(self.mean).div_(self.std)
            self.next = x, y.to(device, non_blocking=True)

    def __iter__(self):
        return self

    def __next__(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        if self.next is None:
            raise StopIteration
        x, y = self.next
        x.record_stream(torch.cuda.current_stream())
        y.record_stream(torch.cuda.current_stream())
        self.preload()
        return x, y


class FeatureTap:
    def __init__(self, module):
        self.value = None
        self.handle = module.register_forward_hook(self._hook)

    def _hook(self, module, inputs, output):
        self.value = output


def kd_loss(student, teacher, y):
    soft = F.kl_div(F.log_softmax(student / TEMP, 1), F.softmax(teacher / TEMP, 1), reduction="batchmean") * TEMP ** 2
    return ALPHA * soft + (1 - ALPHA) * F.cross_entropy(student, y)


def main():
    torch.manual_seed(10)
    teacher = convnext_small(weights=None, num_classes=NUM_CLASSES).to(device).eval().requires_grad_(False)
    student = resnet18(weights=None, num_classes=NUM_CLASSES).to(device)
    t_tap, s_tap = FeatureTap(teacher.features[5]), FeatureTap(student.layer3)
    adapter = nn.Conv2d(256, 384, 1).to(device)
    params = [*student.parameters(), *adapter.parameters()]
    opt = torch.optim.SGD(params, lr=0.05, momentum=0.9, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, N // BATCH)
    loader = DataLoader(UInt8Images(N), batch_size=BATCH, shuffle=True, pin_memory=True, drop_last=True)

    student.train()
    for step, (x, y) in enumerate(DataPrefetcher(loader)):
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
            t_logits = teacher(x)
        s_logits = student(x)
        hint = F.mse_loss(F.normalize(adapter(s_tap.value), dim=1), F.normalize(t_tap.value.float(), dim=1))
        loss = kd_loss(s_logits, t_logits.float(), y) + HINT * hint
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"step {step} loss {loss.item():.4f} hint {hint.item():.5f} allocated {torch.cuda.memory_allocated() >> 20} MiB")
    for tap in (t_tap, s_tap):
        tap.handle.remove()

    student.eval()
    agree = 0
    with torch.no_grad():
        x = torch.randn(BATCH, 3, IMG, IMG, device=device)
        agree = (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item()
    print(f"agreement {agree:.3f}, peak {torch.cuda.max_memory_allocated() >> 20} MiB")


if __name__ == "__main__":
    main()
