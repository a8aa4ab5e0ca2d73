# limit: 2.5
import timm
import torch
import torch.nn.functional as F

torch.manual_seed(33)


class AccumulatingTrainer:
    """Larger virtual batch in later epochs instead of lr decay."""

    def __init__(self, model, lr=0.02):
        self.model = model.cuda()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.history = []

    def micro_batches(self, n, bs=32):
        for _ in range(n):
            yield torch.randn(bs, 3, 128, 128, device="cuda"), torch.randint(0, 5, (bs,), device="cuda")

    def virtual_step(self, accum):
        total = 0.0
        for x, y in self.micro_batches(accum):
            total = total + F.cross_entropy(self.model(x), y) / accum
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()

    def train(self, schedule):
        for epoch, (accum, steps) in enumerate(schedule):
            for _ in range(steps):
                self.history.append(self.virtual_step(accum))
            print(f"epoch {epoch} accum {accum} loss {self.history[-1]:.4f}", flush=True)


net = timm.create_model("resnet18", pretrained=False, num_classes=5)
AccumulatingTrainer(net).train([(1, 10), (2, 8), (3, 6), (16, 4)])
