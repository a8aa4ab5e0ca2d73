# limit: 2
import torch
import torch.nn as nn

D, FF, EXPERTS, LAYERS = 1024, 4096, 8, 10


class Expert(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(D, FF, bias=False)
        self.down = nn.Linear(FF, D, bias=False)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)).square())


class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(D, EXPERTS, bias=False)
        self.experts = nn.ModuleList(Expert() for _ in range(EXPERTS))

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        return x + sum(weights[..., i : i + 1] * e(x) for i, e in enumerate(self.experts))


def build():
    torch.manual_seed(0)
    model = nn.Sequential(*[MoE() for _ in range(LAYERS)], nn.Linear(D, 10))
    print("parameters:", sum(p.numel() for p in model.parameters()) // 10**6, "M")
    return model


model = build()
model.to("cuda")
model.eval()
with torch.no_grad():
    for i in range(10):
        x = torch.randn(64, D, device="cuda")
        print(i, model(x).argmax(-1)[:5].tolist())
