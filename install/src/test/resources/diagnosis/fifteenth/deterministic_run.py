# limit: 0.75
# Reproducible runs for the paper: deterministic algorithms, fixed seeds, side stream for the evaluation.
import os

os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":65536:4"

import torch
import torch.nn as nn

torch.manual_seed(123)
torch.use_deterministic_algorithms(True, warn_only=True)
dev = torch.device("cuda")


class Mixer(nn.Module):
    def __init__(self, d=512, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d, d, bias=False) for _ in range(depth))
        self.head = nn.Linear(d, 10, bias=False)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return self.head(x)


model = Mixer().to(dev)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
eval_stream = torch.cuda.Stream()


def batch(seed, n=1024):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(n, 512, generator=g).to(dev), torch.randint(0, 10, (n,), generator=g).to(dev)


@torch.no_grad()
def evaluate():
    eval_stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(eval_stream):
        x, y = batch(0)
        acc = (model(x).argmax(1) == y).float().mean()
    torch.cuda.current_stream().wait_stream(eval_stream)
    return acc.item()


for epoch in range(3):
    for step in range(20):
        x, y = batch(epoch * 20 + step + 1)
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f}", flush=True)
    print("accuracy", evaluate())
