# limit: 3.5
"""Click-through model: 16 categorical fields, embeddings, small MLP."""
import torch
import torch.nn as nn

FIELDS = [262144] * 15 + [262144]
DIM = 64


class CTR(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(n, DIM) for n in FIELDS)
        self.mlp = nn.Sequential(
            nn.Linear(DIM * len(FIELDS), 256), nn.ReLU(),
            nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, ids):
        cols = [t(ids[:, i]) for i, t in enumerate(self.tables)]
        return self.mlp(torch.cat(cols, dim=1)).squeeze(1)


torch.manual_seed(2024)
with torch.device("cuda"):
    model = CTR()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.BCEWithLogitsLoss()

for step in range(50):
    ids = torch.randint(0, 262144, (2048, len(FIELDS)), device="cuda")
    click = torch.randint(0, 2, (2048,), device="cuda").float()
    optimizer.zero_grad()
    loss = loss_fn(model(ids), click)
    loss.backward()
    optimizer.step()
    if step % 10 == 0:
        print(f"step {step} logloss {loss.item():.4f}")
