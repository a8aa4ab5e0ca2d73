import torch, torch.nn as nn
class NCF(nn.Module):
    def __init__(self, u=100000, i=50000, d=64):
        super().__init__(); self.u, self.i = nn.Embedding(u, d), nn.Embedding(i, d); self.m = nn.Sequential(nn.Linear(2 * d, 256), nn.ReLU(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 1))
    def forward(self, u, i): return self.m(torch.cat([self.u(u), self.i(i)], -1)).squeeze(-1)
model = NCF().cuda(); optimizer = torch.optim.Adam(model.parameters(), weight_decay=1e-5)
for step in range(3):
    u, i, y = torch.randint(0, 100000, (8192,), device="cuda"), torch.randint(0, 50000, (8192,), device="cuda"), torch.rand(8192, device="cuda")
    loss = nn.functional.binary_cross_entropy_with_logits(model(u, i), y); optimizer.zero_grad(); loss.backward(); optimizer.step()
