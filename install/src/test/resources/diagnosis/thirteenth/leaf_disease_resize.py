# limit: 3.0
# plant pathology, progressive resizing
import timm
import torch
from torch import nn

PHASES = [(96, 6), (128, 6), (256, 6)]
BATCH = 80


def fake_leaves(n, size):
    x = torch.rand(n, 3, size, size)
    y = torch.randint(0, 12, (n,))
    return x, y


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.n = 0.0, 0

    def update(self, v):
        self.total += v
        self.n += 1

    def __str__(self):
        return f"{self.total / max(1, self.n):.4f}"


def train_phase(model, opt, crit, size, steps, meter):
    model.train()
    for _ in range(steps):
        x, y = fake_leaves(BATCH, size)
        x, y = x.to("cuda"), y.to("cuda")
        loss = crit(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        meter.update(loss.item())


def main():
    torch.manual_seed(23)
    model = timm.create_model("resnet26", pretrained=False, num_classes=12).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.05)
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    meter = AverageMeter()
    for size, steps in PHASES:
        meter.reset()
        train_phase(model, opt, crit, size, steps, meter)
        print(f"size {size}: loss {meter}")


if __name__ == "__main__":
    main()
