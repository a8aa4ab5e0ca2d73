"""The model, and the optimizer's step with it, each compiled."""
import torch
import torch.nn as nn

torch.manual_seed(0)
layer = lambda: nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
model = nn.Sequential(*(layer() for _ in range(3)), nn.Linear(256, 256)).cuda()
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)


@torch.compile(fullgraph=False)
def step():
    optimizer.step()


for i in range(5):
    x = torch.randn(32, 128, 256, device="cuda")
    loss = (compiled(x) - x).pow(2).mean()
    loss.backward()
    step()
    optimizer.zero_grad()
print(loss.item())
