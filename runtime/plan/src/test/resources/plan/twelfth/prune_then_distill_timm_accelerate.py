"""Compress a timm model: global magnitude pruning in rounds + KD from the dense teacher; accelerate fp16,
torchmetrics for the training accuracy."""
import copy

import timm
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.nn.utils.prune as prune
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from torchmetrics.classification import MulticlassAccuracy

ARCH = "regnety_016"
CLASSES, SIDE, BATCH = 200, 224, 40
ROUNDS, STEPS_PER_ROUND, AMOUNT = 2, 3, 0.3
T, ALPHA = 4.0, 0.7


class Noise(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return torch.randn(3, SIDE, SIDE, generator=g), i % CLASSES


def kd(student, teacher, y):
    soft = F.kl_div(F.log_softmax(student / T, 1), F.log_softmax(teacher / T, 1), log_target=True,
                    reduction="batchmean") * T * T
    return ALPHA * soft + (1 - ALPHA) * F.cross_entropy(student, y)


def prunable(m):
    return [(x, "weight") for x in m.modules() if isinstance(x, (nn.Conv2d, nn.Linear)) and x.weight.numel() > 5000]


def sparsity(m):
    z = sum(int((x.weight == 0).sum()) for x, _ in prunable(m))
    n = sum(x.weight.numel() for x, _ in prunable(m))
    return z / n


def main():
    set_seed(90)
    torch.backends.cudnn.benchmark = True
    acc = Accelerator(mixed_precision="fp16")
    teacher = timm.create_model(ARCH, pretrained=False, num_classes=CLASSES)
    student = copy.deepcopy(teacher)
    teacher.eval().requires_grad_(False)
    teacher.to(acc.device, torch.float16)
    opt = torch.optim.SGD(student.parameters(), lr=0.02, momentum=0.9, weight_decay=5e-5, nesterov=True)
    loader = DataLoader(Noise(BATCH * STEPS_PER_ROUND), batch_size=BATCH, shuffle=True)
    student, opt, loader = acc.prepare(student, opt, loader)
    metric = MulticlassAccuracy(CLASSES, average="micro").to(acc.device)

    for rnd in range(ROUNDS):
        raw = acc.unwrap_model(student)
        prune.global_unstructured(prunable(raw), pruning_method=prune.L1Unstructured, amount=AMOUNT)
        # prune replaces `weight` by `weight_orig`, which is the same Parameter object the optimiser holds
        student.train()
        for x, y in loader:
            with torch.no_grad():
                t = teacher(x.half()).float()
            s = student(x)
            loss = kd(s.float(), t, y)
            acc.backward(loss)
            if acc.sync_gradients:
                acc.clip_grad_norm_(student.parameters(), 2.0)
            opt.step()
            opt.zero_grad()
            metric.update(s, y)
        print(f"round {rnd} loss {loss.item():.4f} acc {metric.compute().item():.4f} "
              f"sparsity {sparsity(raw):.3f} mem {torch.cuda.memory_allocated() >> 20} MiB")
        metric.reset()

    raw = acc.unwrap_model(student)
    for m, n in prunable(raw):
        prune.remove(m, n)
    student.eval()
    with torch.inference_mode():
        agree = (student(x).argmax(1) == teacher(x.half()).argmax(1)).float().mean()
    print("agreement with teacher", agree.item(), "peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
