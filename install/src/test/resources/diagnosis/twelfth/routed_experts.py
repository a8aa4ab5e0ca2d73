# limit: 1.25
"""Mixture-of-experts language block, top-1 routing."""
import torch
from torch import nn

LAYERS, EXPERTS, D, HID = 6, 8, 1024, 4096


class Expert(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(D, HID, bias=False, device="cuda")
        self.down = nn.Linear(HID, D, bias=False, device="cuda")

    def forward(self, x):
        return self.down(nn.functional.silu(self.up(x)))


class MoELayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(D, device="cuda")
        self.gate = nn.Linear(D, EXPERTS, device="cuda")
        self.experts = nn.ModuleList(Expert() for _ in range(EXPERTS))

    def forward(self, x):
        h = self.norm(x)
        weight, choice = self.gate(h).softmax(-1).max(-1)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            rows = (choice == e).nonzero().squeeze(-1)
            if len(rows):
                out = out.index_add(0, rows, expert(h[rows]) * weight[rows, None])
        return x + out


def build():
    layers = []
    for i in range(LAYERS):
        layers.append(MoELayer())
        print("layer", i, f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    return nn.Sequential(*layers)


def main():
    torch.manual_seed(3)
    model = build()
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    for step in range(5):
        x = torch.randn(256, D, device="cuda")
        loss = (model(x) - x.roll(1, 0)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print("step", step, loss.item())


if __name__ == "__main__":
    main()
