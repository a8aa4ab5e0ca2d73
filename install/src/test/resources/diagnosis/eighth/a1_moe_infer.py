# limit: 4
"""Run a mixture-of-experts feed-forward stack on a few tokens."""
import torch
import torch.nn as nn


class MoELayer(nn.Module):
    def __init__(self, d=1024, hidden=2048, experts=40):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.w1 = nn.Parameter(torch.randn(experts, d, hidden) * 0.02)
        self.w2 = nn.Parameter(torch.randn(experts, hidden, d) * 0.02)

    def forward(self, x):
        prob, idx = self.gate(x).softmax(-1).max(-1)
        out = torch.zeros_like(x)
        for e in idx.unique().tolist():
            sel = idx == e
            out[sel] = torch.relu(x[sel] @ self.w1[e]) @ self.w2[e]
        return x + out * prob[:, None]


torch.manual_seed(0)
with torch.device("cuda"):
    model = nn.Sequential(*[MoELayer() for _ in range(8)])
print(sum(p.numel() for p in model.parameters()) / 1e6, "M parameters")
with torch.inference_mode():
    for step in range(10):
        y = model(torch.randn(64, 1024, device="cuda"))
        print(step, y.norm().item())
