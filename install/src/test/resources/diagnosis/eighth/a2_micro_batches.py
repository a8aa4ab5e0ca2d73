# limit: 4
# "I use gradient accumulation (16 x 64) but it needs as much memory as batch 1024"
import torch
import torch.nn as nn
from torchvision.models import resnet18

torch.manual_seed(6)
torch.backends.cudnn.benchmark = False


class AccumulatingTrainer:
    def __init__(self, model, micro=64, accumulate=16):
        self.model = model
        self.micro = micro
        self.accumulate = accumulate
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        self.loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)

    def draw(self):
        x = torch.randn(self.micro, 3, 128, 128, device="cuda")
        y = torch.randint(0, 1000, (self.micro,), device="cuda")
        return x, y

    def step(self):
        self.opt.zero_grad(set_to_none=True)
        total = torch.zeros((), device="cuda")
        for _ in range(self.accumulate):
            x, y = self.draw()
            loss = self.loss_fn(self.model(x), y)
            total = total + loss / self.accumulate
        total.backward()
        self.opt.step()
        return total.item()


trainer = AccumulatingTrainer(resnet18(weights=None).to("cuda").train())
for step in range(4):
    print(step, trainer.step())
