"""A tabular network with residual blocks and batch norms in bfloat16 autocast."""
import torch
import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.BatchNorm1d(width), nn.Linear(width, 2 * width), nn.SiLU(), nn.Dropout(0.2), nn.Linear(2 * width, width))

    def forward(self, x):
        return x + self.body(x)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(200, 1024), *(Residual(1024) for _ in range(5)), nn.LayerNorm(1024), nn.Linear(1024, 1)).cuda()
model = torch.compile(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
for step in range(5):
    x, y = torch.randn(16384, 200, device="cuda"), torch.randn(16384, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x).squeeze(-1).float(), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
model.eval()
with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
    print(model(torch.randn(16384, 200, device="cuda")).float().mean().item())
