# limit: 8
# "nvidia-smi shows much more than memory_allocated, and history keeps growing. Leak?"
import torch
import torch.nn as nn
from torchvision.models import resnet18

torch.manual_seed(32)


class History:
    def __init__(self):
        self.rows = []

    def __call__(self, epoch, **numbers):
        self.rows.append({"epoch": epoch, **numbers})
        text = ", ".join(f"{k} {v:.3f}" for k, v in numbers.items())
        print(f"epoch {epoch}: {text}; allocated {torch.cuda.memory_allocated() >> 20} MiB, "
              f"reserved {torch.cuda.memory_reserved() >> 20} MiB")


class ImageTrainer:
    def __init__(self, classes=10):
        self.model = resnet18(weights=None, num_classes=classes).to("cuda")
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
        self.history = History()

    def batches(self, n):
        for _ in range(n):
            yield torch.randn(64, 3, 96, 96, device="cuda"), torch.randint(0, 10, (64,), device="cuda")

    def epoch(self, number, steps=20):
        self.model.train()
        total, correct, seen = 0.0, 0, 0
        for x, y in self.batches(steps):
            out = self.model(x)
            loss = nn.functional.cross_entropy(out, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            seen += len(y)
        self.history(number, loss=total / seen, accuracy=correct / seen)


trainer = ImageTrainer()
for e in range(4):
    trainer.epoch(e)
