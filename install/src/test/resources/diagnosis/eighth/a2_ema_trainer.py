# limit: 2.75
# "I added EMA to my trainer and now it does not even start"
import copy

import torch
import torch.nn as nn

torch.manual_seed(12)


class EMA:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


class Encoder(nn.Module):
    def __init__(self, dim=2048, layers=8):
        super().__init__()
        block = lambda: nn.TransformerEncoderLayer(dim, 16, 4 * dim, batch_first=True, norm_first=True)
        self.blocks = nn.ModuleList(block() for _ in range(layers))
        self.head = nn.Linear(dim, 10)

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.head(x.mean(1))


def probe_training(model, ema, steps=3):
    # only the head is trained (linear probe), the rest is frozen
    for p in model.blocks.parameters():
        p.requires_grad_(False)
    opt = torch.optim.SGD(model.head.parameters(), lr=0.1)
    for _ in range(steps):
        x = torch.randn(2, 16, 2048, device="cuda")
        loss = nn.functional.cross_entropy(model(x), torch.zeros(2, dtype=torch.long, device="cuda"))
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)
        print(loss.item())


with torch.device("cuda"):
    model = Encoder()
ema = EMA(model)
probe_training(model, ema)
