# limit: 3.3
"""Matrix factorisation with biases, BPR loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_USERS, N_ITEMS, K = 3_000_000, 1_000_000, 64


class MF(nn.Module):
    def __init__(self):
        super().__init__()
        self.users = nn.Embedding(N_USERS, K, device="cuda")
        self.items = nn.Embedding(N_ITEMS, K, device="cuda")
        self.item_bias = nn.Embedding(N_ITEMS, 1, device="cuda")
        for table in (self.users, self.items):
            nn.init.normal_(table.weight, std=0.01)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, candidates):
        taste = self.users(u).unsqueeze(1)
        return (taste * self.items(candidates)).sum(-1) + self.item_bias(candidates).squeeze(-1)


model = MF()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)

for step in range(200):
    u = torch.randint(0, N_USERS, (4096,), device="cuda")
    pos = torch.randint(0, N_ITEMS, (4096,), device="cuda")
    neg = torch.randint(0, N_ITEMS, (4096,), device="cuda")
    scores = model(u, torch.stack([pos, neg], dim=1))
    loss = -F.logsigmoid(scores[:, 0] - scores[:, 1]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item())
